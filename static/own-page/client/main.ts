/**
 * The script that `{{{seirikenScript}}}` puts into an operator's own page: live position, socket and turn,
 * by the modules of the queue page. It draws nothing: it fills marked elements and tells the page by events.
 */
import type { PageState } from "../../../src/page/state.ts";
import { phaseAt } from "../../../src/page/event.ts";
import { callingTitle } from "../../../src/page/view.ts";
import { createCounter } from "../../queue/client/counter.ts";
import { isBouncing, noteGoingIn, reloadDelay } from "../../queue/client/memory.ts";
import { boot, isShown, know, state } from "../../queue/client/page.ts";
import { createTabs } from "../../queue/client/tabs.ts";
import { createTimer, jittered, reloadSpread, SECOND } from "../../queue/client/timing.ts";
import { factsOf } from "./facts.ts";
import type { Facts } from "./facts.ts";
import { fill, isMarked, listenForClicks } from "./marks.ts";

/** Long enough to see what is happening. */
const GO_IN_AFTER_MS = 900;

const reloading = createTimer();
const going = createTimer();
const calling = createTimer();
const ticking = createTimer();

let follows = false;
/** Another tab went in: nothing is left to do here. */
let isOver = false;
let isReloading = false;
let plainTitle = "";

const facts = (): Facts => {
  const isGoing = (state.phase === "called" && !state.asks) || state.phase === "entering";
  return factsOf(state, (follows || isOver) && isGoing, Date.now());
};

const reload = (): void => location.replace(boot.to);

/** Loads the page again in a while, spread over the crowd and with growing pauses. */
const reloadLater = (leastMs = 0): void => {
  if (isReloading) return;
  isReloading = true;
  reloading(Math.max(jittered(reloadDelay()), leastMs), reload);
};

/**
 * Where the operator's page has nothing to show for an ending, a new load does: the Worker answers with
 * a page that says it, or takes a new number.
 */
const leaveDeadEnd = ({ phase }: PageState): void => {
  if (phase === "closed" && !isMarked("closed"))
    reloadLater(Math.random() * reloadSpread(state.waiting));
  if (phase === "cookies") reloadLater();
  if (phase === "ended" && document.querySelector('[data-seiriken-do="again"]') === null)
    reloadLater();
};

const render = (): void => {
  const told = facts();
  fill(told);
  document.dispatchEvent(new CustomEvent("seiriken", { detail: told }));
  const { event } = state;
  if (!event || event.phase !== "prequeue" || event.opensAt === null) return;
  ticking((Math.max(0, event.opensAt - Date.now() - 1) % SECOND) + 1, tick);
};

/** At the start the page goes on by itself: it is told, but perhaps some seconds later. */
const tick = (): void => {
  const { event } = state;
  if (!event) return;
  const phase = phaseAt(event.told, event.opensAt, Date.now());
  if (phase === event.phase) return render();
  update({ event: Object.assign({}, event, { phase }), paused: phase === "drawing" });
};

/** Second by second, until the visitor looks or the turn is over. */
const call = (): void => {
  if (!state.asks || follows) {
    document.title = plainTitle;
    return;
  }
  document.title = callingTitle(plainTitle, state.claimBy, Date.now());
  counter.look();
  calling(SECOND, call);
};

const update = (change: Partial<PageState>): void => {
  const before = state;
  know(change);
  render();
  if (state.asks && !before.asks) {
    plainTitle = document.title;
    call();
  }
  if (state.phase !== before.phase) leaveDeadEnd(state);
  tabs.tell();
};

const goIn = (): void => {
  const here = location.pathname + location.search;
  // With a fragment, replacing the address by itself would load nothing.
  if (location.hash !== "" && here === boot.to) location.reload();
  else reload();
};

const counter = createCounter({
  update,
  enter() {
    counter.stop();
    noteGoingIn();
    update({ phase: "entering", asks: false, problem: null });
    going(GO_IN_AFTER_MS, goIn);
  },
  reloadNow: goIn,
  reload: reloadLater,
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
    know({}, theirs);
    render();
  },
});

const wake = (): void => {
  if (!isShown()) return;
  tabs.shown();
  counter.wake();
};

const goOn = (): void => {
  if (isShown()) wake();
  else tabs.open();
};

const again = (): void => {
  tabs.shown();
  if (state.phase === "closed" || state.phase === "cookies") reload();
  else counter.startOver();
};

const giveUp = (): void => {
  tabs.shown();
  counter.giveUp();
};

const listenToBrowser = (): void => {
  document.addEventListener("visibilitychange", () => {
    if (isShown()) return wake();
    counter.look();
    tabs.hidden();
  });
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
};

const begin = (): void => {
  if (isBouncing()) return update({ phase: "cookies" });
  listenForClicks({ again, "give-up": giveUp });
  listenToBrowser();
  tabs.open();
};

/** The whole page stands, wherever in it the script was put. */
const start = (): void => {
  if (state.event)
    know({
      event: Object.assign({}, state.event, { opensAt: Date.now() + state.event.opensInMs }),
    });
  render();
  if ((boot as { isPreview?: boolean }).isPreview) return;
  // A prerendered page takes no place until it is shown.
  if ((document as { prerendering?: boolean }).prerendering)
    document.addEventListener("prerenderingchange", begin);
  else begin();
};

Object.assign(window, { seiriken: { facts, again, giveUp } });
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
