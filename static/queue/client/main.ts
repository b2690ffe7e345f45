import type { Boot, PageState } from "../../../src/worker/page/state.ts";
import { viewOf } from "../../../src/worker/page/view.ts";
import { createWords } from "../../../src/worker/page/words.ts";
import { createApi } from "./api.ts";
import { createBell } from "./bell.ts";
import { createCounter } from "./counter.ts";
import { createCrowd } from "./crowd.ts";
import { createMemory } from "./memory.ts";
import { element, show } from "./screen.ts";
import { createTabs } from "./tabs.ts";
import { createTimer, jittered } from "./timing.ts";
import { listenToVisitor } from "./visitor.ts";
import { createVoice } from "./voice.ts";

/** Long enough to see, and for a screen reader to begin, what is happening. */
const GO_IN_AFTER_MS = 900;
/** After the first drawing, and after a change of size, nothing moves until it stands. */
const STILL_MS = 50;

const boot = JSON.parse(element("boot").textContent || "") as Boot;
const words = createWords(boot.locale, boot.words);
const memory = createMemory(boot.roomId);
const voice = createVoice(element("status"), element("alert"), words);
const bell = createBell(element("sound"), element("notify"), boot.name);
const crowd = createCrowd(element("line"));
const reloading = createTimer();
const going = createTimer();
const standing = createTimer();
const root = document.documentElement;

let state: PageState = boot.state;
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

const render = (): void => {
  const view = viewOf(state, boot.spans, boot.name, words, !follows && !isOver);
  show(view);
  draw();
  voice.follow(state, view.headline);
  if (view.phase === "called" || view.phase === "elsewhere") voice.alert(view.headline);
};

const update = (change: Partial<PageState>): void => {
  const before = state.phase;
  state = Object.assign({}, state, change);
  render();
  if (state.phase === "called" && before !== "called") bell.ring(words.say("called"));
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
  enter() {
    counter.stop();
    memory.noteGoingIn();
    update({ phase: "entering", trouble: null });
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
    state = Object.assign({}, theirs, { formLost: boot.state.formLost });
    render();
  },
});

const wake = (): void => {
  if (document.visibilityState !== "visible") return;
  tabs.shown();
  counter.wake();
};

const listenToBrowser = (): void => {
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) wake();
  });
  window.addEventListener("pagehide", () => tabs.leave());
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
