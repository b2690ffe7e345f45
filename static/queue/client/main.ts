/**
 * The page's script: joins state, drawing, sounds and tabs together. Each of them has a file of its
 * own.
 */
import type { EventView } from "../../../src/page/event.ts";
import type { Boot, PageState } from "../../../src/page/state.ts";
import { phaseAt, withEvent } from "../../../src/page/event.ts";
import { callingTitle, viewOf } from "../../../src/page/view.ts";
import { createWords } from "../../../src/page/words.ts";
import type { Messages } from "../../../src/page/words.ts";
import { createApi } from "./api.ts";
import { createBell } from "./bell.ts";
import { createCounter } from "./counter.ts";
import { createCrowd } from "./crowd.ts";
import { createMemory } from "./memory.ts";
import { element, name, show } from "./screen.ts";
import { createTabs, isShown } from "./tabs.ts";
import { createTimer, jittered, SECOND } from "./timing.ts";
import { listenToVisitor } from "./visitor.ts";
import { createVoice } from "./voice.ts";

/** Long enough to see, and for a screen reader to begin, what is happening. */
const GO_IN_AFTER_MS = 900;
/** After the first drawing, and after a change of size, nothing moves until it stands. */
const STILL_MS = 50;
/** While the page calls a visitor who looks elsewhere, the chime comes again and again. */
const CHIME_EVERY = 10;
/** So far ahead the page counts hours. */
const DAY = 86_400 * SECOND;
const MINUTE = 60 * SECOND;

const boot = JSON.parse(element("boot").textContent || "") as Boot;
// The build has made places of the names that the script says (see `keyOf`).
const words = createWords(boot.locale, boot.words as unknown as Messages);
const memory = createMemory(boot.roomId);
const voice = createVoice(element("status"), element("alert"), words);
const bell = createBell({
  sound: element("sound"),
  notify: element("notify"),
  worker: boot.bell,
  note: {
    body: boot.name,
    tag: boot.roomId,
    here: location.href,
    to: boot.to,
  },
  wish: (notifies) => memory.noteWait(numberOf(state), { notifies }),
});
const crowd = createCrowd(element("line"));
const reloading = createTimer();
const going = createTimer();
const standing = createTimer();
const calling = createTimer();
const ticking = /* @__PURE__ */ createTimer();
const root = document.documentElement;

let state: PageState = boot.state;
const numberOf = ({ ticket }: PageState): number | null => ticket && ticket.number;

/** Another tab went in: nothing is left to do here. */
let isOver = false;
/** Another tab leads. */
let follows = false;
let isReloading = false;

const draw = (): void => {
  const each = crowd.draw(state);
  element("figures").textContent = each > 1 ? words.say("figures", { n: each }) : "";
};

const drawStill = (): void => {
  root.classList.remove("moves");
  draw();
  standing.set(STILL_MS, () => root.classList.add("moves"));
};

/** The way to the draw's record; and until the start, the time second by second. */
const showEvent = ({ fair }: EventView): void => {
  const { event } = state;
  element("fairBox").hidden = fair === "";
  if (!event) return;
  const query = numberOf(state) === null ? "" : `?number=${numberOf(state)}`;
  element("check").setAttribute("href", `${boot.api}/draws/${event.told.id}${query}`);
  if (event.phase !== "prequeue" || event.opensAt === null) return;
  const leftMs = event.opensAt - Date.now();
  ticking.set(leftMs > DAY ? MINUTE : (Math.max(0, leftMs - 1) % SECOND) + 1, tick);
};

/** At the start the page goes on by itself: it is told, but perhaps some seconds later. */
const tick = (): void => {
  const { event } = state;
  if (!event) return;
  const phase = phaseAt(event.told, event.opensAt, Date.now());
  if (phase === event.phase) return render();
  update({ event: Object.assign({}, event, { phase }), paused: phase === "drawing" });
};

const render = (): void => {
  const plain = viewOf(state, boot.spans, boot.name, words, !follows && !isOver);
  const event = EVENTS ? withEvent(plain, state, boot.name, words, Date.now()) : null;
  const view = event || plain;
  show(view);
  if (EVENTS) showEvent(event!);
  name(state.asks ? callingTitle(view.title, state.claimBy, Date.now()) : view.title);
  element("takeIn").setAttribute("aria-pressed", String(state.takesIn === true));
  draw();
  voice.follow(state, view.headline, event);
  if (view.phase === "called" || view.phase === "elsewhere") voice.alert(view.headline);
};

/** Second by second, until the visitor looks or the turn is over. */
const call = (seconds: number): void =>
  calling.set(SECOND, () => {
    if (!state.asks || follows) return;
    render();
    if (seconds % CHIME_EVERY === 0) bell.chime();
    counter.look();
    call(seconds + 1);
  });

/** What a visitor who looks elsewhere hears of. */
const announce = (before: PageState): void => {
  const { phase, asks, ticket } = state;
  if (phase === "called" && before.phase !== "called") bell.chime();
  if (asks && !before.asks) {
    bell.tell(words.say("called"));
    call(1);
  }
  if (!before.asks || asks) return;
  if (isShown()) bell.hush();
  else if (phase === "entering") bell.tell(words.say("entering"));
  else if (ticket !== null && ticket.state === "away") bell.tell(words.say("away"));
};

const update = (change: Partial<PageState>): void => {
  const before = state;
  state = Object.assign({}, state, change);
  render();
  if (memory.waitOf(numberOf(state)).notifies) bell.remember();
  announce(before);
  tabs.tell();
};

/** A form's own page is left by GET: reloading it would send the form again. */
const reload = (): void => {
  if (state.formLost) location.replace(boot.to);
  else location.reload();
};

const goIn = (): void => {
  const here = location.pathname + location.search;
  // With a fragment, replacing the address by itself would load nothing.
  if (location.hash !== "" && here === boot.to && !state.formLost) location.reload();
  else location.replace(boot.to);
};

const counter = createCounter({
  boot,
  memory,
  api: createApi(boot.api),
  state: () => state,
  update,
  isShown,
  enter() {
    counter.stop();
    memory.noteGoingIn();
    update({ phase: "entering", asks: false, problem: null });
    going.set(GO_IN_AFTER_MS, goIn);
  },
  reloadNow: reload,
  reload() {
    if (isReloading) return;
    isReloading = true;
    reloading.set(jittered(memory.reloadDelay()), reload);
  },
});

const tabs = createTabs(boot.roomId, {
  state: () => state,
  lead() {
    follows = false;
    render();
    if (!isOver) counter.start();
  },
  follow: () => counter.stop(),
  hear(theirs) {
    follows = true;
    isOver = theirs.phase === "entering";
    state = Object.assign({}, theirs, { formLost: boot.state.formLost, lost: state.lost });
    render();
  },
});

const wake = (): void => {
  if (!isShown()) return;
  bell.hush();
  tabs.shown();
  counter.wake();
};

const turnVisibility = (): void => {
  if (isShown()) return wake();
  counter.look();
  tabs.hidden();
};

/** Out of the ice, or back from the page after it. */
const goOn = (): void => {
  if (isShown()) wake();
  else tabs.open();
};

const listenToBrowser = (): void => {
  document.addEventListener("visibilitychange", turnVisibility);
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) goOn();
  });
  window.addEventListener("pagehide", () => tabs.leave());
  // A frozen page hears nothing: it lets go of its socket, so that nobody calls it in vain.
  document.addEventListener("freeze", () => tabs.leave());
  document.addEventListener("resume", goOn);
  window.addEventListener("focus", wake);
  window.addEventListener("online", wake);
  window.addEventListener("offline", () => {
    if (state.phase === "waiting" || state.phase === "taking") update({ link: "offline" });
  });
  window.addEventListener("resize", drawStill);
};

const begin = (): void => {
  listenToVisitor({
    number: () => words.number((state.ticket && state.ticket.number) || 0),
    words,
    giveUp() {
      tabs.shown();
      counter.giveUp();
    },
    takeIn() {
      const takesIn = state.takesIn !== true;
      memory.noteWait(numberOf(state), { takesIn });
      tabs.shown();
      update({ takesIn });
    },
    again() {
      tabs.shown();
      if (state.phase === "closed" || state.phase === "cookies") reload();
      else counter.startOver();
    },
  });
  listenToBrowser();
  tabs.open();
};

root.className = "scripts";
// In the visitor's own zone, by the visitor's own clock.
if (state.lost) {
  const endedAt = Date.now() - state.lost.agoMs;
  state = Object.assign({}, state, { lost: Object.assign({}, state.lost, { endedAt }) });
}
if (EVENTS && state.event) {
  const opensAt = Date.now() + state.event.opensInMs;
  state = Object.assign({}, state, { event: Object.assign({}, state.event, { opensAt }) });
}
// The Worker only guesses that cookies are lost; taking a ticket shows it.
if (state.phase === "cookies" || state.phase === "taking") {
  state = Object.assign({}, state, { phase: navigator.cookieEnabled ? "taking" : "cookies" });
}
if (memory.isBouncing()) state = Object.assign({}, state, { phase: "cookies" });
render();
drawStill();
// A prerendered page takes no place until it is shown.
if ((document as { prerendering?: boolean }).prerendering) {
  document.addEventListener("prerenderingchange", begin);
} else begin();
