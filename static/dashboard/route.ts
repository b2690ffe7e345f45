/** Which view is shown. It stands in the address, behind the #, so that a reload comes back to it. */
import { useEffect, useState } from "preact/hooks";

export const ROOM_TABS = ["now", "record", "events", "timeline", "desk"] as const;
export type RoomTab = (typeof ROOM_TABS)[number];

export type DashboardView =
  | { readonly name: "rooms" }
  | { readonly name: "room"; readonly room: string; readonly tab: RoomTab }
  | { readonly name: "tokens" | "webhooks" | "audit" };

const isTab = (word: string): word is RoomTab => (ROOM_TABS as readonly string[]).includes(word);

/** What cannot be read is the first view. */
export const viewOf = (hash: string): DashboardView => {
  const [first = "", second = "", third = "now"] = hash.replace(/^#\/?/, "").split("/");
  if (first === "tokens" || first === "webhooks" || first === "audit") return { name: first };
  if (first !== "rooms" || second === "") return { name: "rooms" };
  return { name: "room", room: decoded(second), tab: isTab(third) ? third : "now" };
};

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

export const hrefOf = (view: DashboardView): string => {
  if (view.name === "rooms") return "#/rooms";
  if (view.name !== "room") return `#/${view.name}`;
  const tab = view.tab === "now" ? "" : `/${view.tab}`;
  return `#/rooms/${encodeURIComponent(view.room)}${tab}`;
};

export const useView = (): DashboardView => {
  const [view, setView] = useState(() => viewOf(location.hash));
  useEffect(() => {
    const follow = (): void => setView(viewOf(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return view;
};
