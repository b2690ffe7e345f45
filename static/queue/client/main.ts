/**
 * The page's script: joins state, drawing, sounds and tabs together. Each of them has a file of its
 * own.
 */
import type { EventView } from "../../../src/page/event.ts";
import type { PageState } from "../../../src/page/state.ts";
import { phaseAt, withEvent } from "../../../src/page/event.ts";
import { callingTitle, viewOf } from "../../../src/page/view.ts";
import { chime, notify, rememberBell } from "./bell.ts";
import { createCounter } from "./counter.ts";
import { drawCrowd } from "./crowd.ts";
import { isBouncing, noteGoingIn, noteWait, reloadDelay } from "./memory.ts";
import { boot, isShown, know, numberOf, state } from "./page.ts";
import { element, press, show, words } from "./screen.ts";
import { createTabs } from "./tabs.ts";
import { createTimer, jittered, SECOND } from "./timing.ts";
import { listenToVisitor } from "./visitor.ts";
import { speak } from "./voice.ts";

/** Long enough to see, and for a screen reader to begin, what is happening. */
const GO_IN_AFTER_MS = 900;
/** After the first drawing, and after a change of size, nothing moves until it stands. */
const STILL_MS = 50;
/** While the page calls a visitor who looks elsewhere, the chime comes again and again. */
const CHIME_EVERY = 10;
/** So far ahead the page counts hours. */
const DAY = 86_400 * SECOND;
const MINUTE = 60 * SECOND;

/** Looks again where this script does not start (watchdog.js). */
declare const watchdog: number;

const reloading = createTimer();
const going = createTimer();
const standing = createTimer();
const calling = createTimer();
const ticking = /* @__PURE__ */ createTimer();
const root = document.documentElement;

/** Another tab went in: nothing is left to do here. */
let isOver = false;
/** Another tab leads. */
let follows = false;
let isReloading = false;

const draw = (): void => {
  const each = drawCrowd();
  element("figures").textContent = each > 1 ? words.say("figures", { n: each }) : "";
};

const drawStill = (): void => {
  root.classList.remove("moves");
  draw();
  standing(STILL_MS, () => root.classList.add("moves"));
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
  ticking(leftMs > DAY ? MINUTE : (Math.max(0, leftMs - 1) % SECOND) + 1, tick);
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
  const title = state.asks ? callingTitle(view.title, state.claimBy, Date.now()) : view.title;
  show(Object.assign({}, view, { title }));
  if (EVENTS) showEvent(event!);
  press("takeIn", state.takesIn);
  draw();
  speak(view, event);
};

/** Second by second, until the visitor looks or the turn is over. */
const call = (seconds: number): void =>
  calling(SECOND, () => {
    if (!state.asks || follows) return;
    render();
    if (seconds % CHIME_EVERY === 0) chime();
    counter.look();
    call(seconds + 1);
  });

/** What a visitor who looks elsewhere hears of. */
const announce = (before: PageState): void => {
  const { phase, asks, ticket } = state;
  if (phase === "called" && before.phase !== "called") chime();
  if (asks && !before.asks) {
    notify(words.say("called"));
    call(1);
  }
  if (!before.asks || asks) return;
  if (isShown()) notify();
  else if (phase === "entering") notify(words.say("entering"));
  else if (ticket && ticket.state === "away") notify(words.say("away"));
};

const update = (change: Partial<PageState>): void => {
  const before = state;
  know(change);
  render();
  rememberBell();
  announce(before);
  tabs.tell();
};

/** A form's own page is left by GET: reloading it would send the form again. */
const load = (staysHere: boolean): void => {
  if (staysHere && !state.formLost) location.reload();
  else location.replace(boot.to);
};

const reload = (): void => load(true);

/** With a fragment, replacing the address by itself would load nothing. */
const goIn = (): void =>
  load(location.hash !== "" && location.pathname + location.search === boot.to);

const counter = createCounter({
  update,
  enter() {
    counter.stop();
    noteGoingIn();
    update({ phase: "entering", asks: false, problem: null });
    going(GO_IN_AFTER_MS, goIn);
  },
  reloadNow: reload,
  reload() {
    if (isReloading) return;
    isReloading = true;
    reloading(jittered(reloadDelay()), reload);
  },
});

const tabs = createTabs({
  lead() {
    follows = false;
    render();
    if (!isOver) counter.start();
  },
  follow: () => counter.stop(),
  hear(theirs) {
    follows = true;
    isOver = theirs.phase === "entering";
    know({ formLost: state.formLost, lost: state.lost }, theirs);
    render();
  },
});

const wake = (): void => {
  if (!isShown()) return;
  notify();
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
  document.addEventListener("resume", goOn);
  // A frozen page hears nothing: it lets go of its socket, so that nobody calls it in vain.
  document.addEventListener("freeze", tabs.leave);
  window.onpagehide = tabs.leave;
  window.onpageshow = ({ persisted }) => {
    if (persisted) goOn();
  };
  window.onfocus = window.ononline = wake;
  window.onoffline = () => {
    if (state.phase === "waiting" || state.phase === "taking") update({ link: "offline" });
  };
  window.onresize = drawStill;
};

const begin = (): void => {
  listenToVisitor({
    giveUp() {
      tabs.shown();
      counter.giveUp();
    },
    takeIn() {
      const takesIn = !state.takesIn;
      noteWait(numberOf(state), { takesIn });
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
clearTimeout(watchdog);
// In the visitor's own zone, by the visitor's own clock.
if (state.lost) Object.assign(state.lost, { endedAt: Date.now() - state.lost.agoMs });
if (EVENTS && state.event)
  Object.assign(state.event, { opensAt: Date.now() + state.event.opensInMs });
// The Worker only guesses that cookies are lost; taking a ticket shows it.
if (state.phase === "cookies" || state.phase === "taking")
  know({ phase: navigator.cookieEnabled ? "taking" : "cookies" });
if (isBouncing()) know({ phase: "cookies" });
render();
drawStill();
// A prerendered page takes no place until it is shown.
if ((document as { prerendering?: boolean }).prerendering)
  document.addEventListener("prerenderingchange", begin);
else begin();
