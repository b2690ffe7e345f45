/** Makes one of a visitor's tabs lead, so that only one asks and claims. */
import { boot, isShown, state } from "./page.ts";
import { createTimer, SECOND } from "./timing.ts";
import type { PageState } from "../../../src/page/state.ts";

/**
 * One tab leads: it holds the socket, polls and goes in; the others show what it knows. A tab that is
 * in sight leads before those that are hidden, and of these the one that was shown last.
 */
export interface Tabs {
  open(): void;
  /** Tells the other tabs what this one knows. */
  tell(): void;
  /** This tab was shown. */
  shown(): void;
  /** This tab was hidden: another one that is in sight leads. */
  hidden(): void;
  /** This tab goes away; another may lead. */
  leave(): void;
}

export interface TabEvents {
  lead(): void;
  follow(): void;
  hear(state: PageState): void;
}

type Note =
  | {
      readonly type: "lead";
      readonly id: string;
      readonly since: number;
      /** It is in sight. */
      readonly inSight: boolean;
      readonly state: PageState;
    }
  | { readonly type: "hello"; readonly id: string }
  | { readonly type: "bye"; readonly id: string };

const BEAT_MS = 5 * SECOND;
/** Background tabs have slow timers: a leader is missed only after this long. */
const MISSED_MS = 16 * SECOND;
const FIRST_ANSWER_MS = 600;

/** Notes to the other tabs of this browser. One without channels (Safari before 15.4) leads in each tab. */
const createChannel = (name: string, hear: (note: Note) => void): ((note: Note) => void) => {
  if (!("BroadcastChannel" in window)) return () => undefined;
  const channel = new BroadcastChannel(name);
  channel.onmessage = (event) => hear(event.data as Note);
  return (note) => channel.postMessage(note);
};

export const createTabs = (events: TabEvents): Tabs => {
  const id = Math.random().toString(36).slice(2);
  const beat = createTimer();
  const missed = createTimer();
  let leading = false;
  let since = 0;

  const tell = (): void => {
    if (!leading) return;
    send({ type: "lead", id, since, inSight: isShown(), state });
    beat(BEAT_MS, tell);
  };

  const lead = (): void => {
    missed();
    if (leading) return;
    leading = true;
    since = Date.now();
    tell();
    events.lead();
  };

  const follow = (): void => {
    if (!leading) return;
    leading = false;
    beat();
    events.follow();
  };

  const hear = (note: Note): void => {
    if (note.id === id) return;
    if (note.type === "hello") return tell();
    if (note.type === "bye") {
      if (!leading) missed(Math.random() * 300, lead);
      return;
    }
    const here = isShown();
    const theyCameLater = note.since > since || (note.since === since && note.id > id);
    const theyLead = note.inSight === here ? theyCameLater || !leading : note.inSight;
    if (!theyLead) return leading ? tell() : lead();
    missed(MISSED_MS, lead);
    follow();
    events.hear(note.state);
  };

  const send = createChannel(`seiriken:${boot.roomId}:tabs`, hear);

  return {
    tell,
    open() {
      if (isShown()) return lead();
      send({ type: "hello", id });
      missed(FIRST_ANSWER_MS, lead);
    },
    shown: lead,
    hidden: tell,
    leave() {
      missed();
      if (leading) send({ type: "bye", id });
      follow();
    },
  };
};
