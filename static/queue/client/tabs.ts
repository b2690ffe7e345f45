import { createTimer, SECOND } from "./timing.ts";
import type { PageState } from "../../../src/worker/page/state.ts";

/**
 * One tab leads: it holds the socket, polls and goes in; the others show what it knows. The tab that
 * was shown last leads, so the one in front of the visitor is never a throttled or frozen one.
 */
export interface Tabs {
  open(): void;
  /** Tells the other tabs what this one knows. */
  tell(): void;
  /** This tab was shown. */
  shown(): void;
  /** This tab goes away; another may lead. */
  leave(): void;
}

export interface TabEvents {
  lead(): void;
  follow(): void;
  hear(state: PageState): void;
  state(): PageState;
}

type Note =
  | {
      readonly kind: "lead";
      readonly id: string;
      readonly since: number;
      readonly state: PageState;
    }
  | { readonly kind: "hello"; readonly id: string }
  | { readonly kind: "bye"; readonly id: string };

const BEAT_MS = 5 * SECOND;
/** Background tabs have slow timers: a leader is missed only after this long. */
const MISSED_MS = 16 * SECOND;
const FIRST_ANSWER_MS = 600;

/** Notes to the other tabs of this browser, by the best way there is. */
const createChannel = (name: string, hear: (note: Note) => void): ((note: Note) => void) => {
  if (typeof BroadcastChannel === "function") {
    const channel = new BroadcastChannel(name);
    channel.onmessage = (event) => hear(event.data as Note);
    return (note) => channel.postMessage(note);
  }
  window.addEventListener("storage", (event) => {
    if (event.key === name && event.newValue)
      hear((JSON.parse(event.newValue) as { note: Note }).note);
  });
  return (note) => {
    try {
      localStorage.setItem(name, JSON.stringify({ note, at: Date.now() + Math.random() }));
    } catch (_refused) {
      // Without storage there are no other tabs to speak of: cookies are refused as well.
    }
  };
};

export const createTabs = (roomId: string, events: TabEvents): Tabs => {
  const id = Math.random().toString(36).slice(2);
  const beat = createTimer();
  const missed = createTimer();
  let leading = false;
  let since = 0;

  const tell = (): void => {
    if (!leading) return;
    send({ kind: "lead", id, since, state: events.state() });
    beat.set(BEAT_MS, tell);
  };

  const lead = (): void => {
    missed.clear();
    if (leading) return;
    leading = true;
    since = Date.now();
    tell();
    events.lead();
  };

  const follow = (): void => {
    missed.set(MISSED_MS, lead);
    if (!leading) return;
    leading = false;
    beat.clear();
    events.follow();
  };

  const hear = (note: Note): void => {
    if (note.id === id) return;
    if (note.kind === "hello") return tell();
    if (note.kind === "bye") {
      if (!leading) missed.set(Math.random() * 300, lead);
      return;
    }
    const theyCameLater = note.since > since || (note.since === since && note.id > id);
    if (leading && !theyCameLater) return tell();
    follow();
    events.hear(note.state);
  };

  const send = createChannel(`seiriken:${roomId}`, hear);

  return {
    tell,
    open() {
      if (document.visibilityState === "visible") return lead();
      send({ kind: "hello", id });
      missed.set(FIRST_ANSWER_MS, lead);
    },
    shown: lead,
    leave() {
      if (!leading) return missed.clear();
      leading = false;
      beat.clear();
      send({ kind: "bye", id });
      events.follow();
    },
  };
};
