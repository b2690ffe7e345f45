import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { openHiddenTabs } from "../support/hidden-tabs.ts";
import type { HiddenTabs, Tab } from "../support/hidden-tabs.ts";
import { claimVisit, takeNumber } from "../support/journey.ts";
import { reachedOrigin } from "../support/origin.ts";
import { roomOver, visitorInside } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";

const CLAIM_SECONDS = {
  called: 60,
  missed: 5,
  wished: 20,
  windows: 60,
  frozen: 60,
  thrown: 60,
  bell: 150,
};
type Room = keyof typeof CLAIM_SECONDS;
const ROOMS = Object.entries(CLAIM_SECONDS).map(([name, claim_within_seconds]) =>
  roomOver(name, { total_active_users: 1, seiriken: { claim_within_seconds } }),
);
const CALLS = /^[●○] (\d+):(\d\d) It is your turn/;

let seiriken: Seiriken;
beforeAll(async () => {
  seiriken = await startSeiriken({ runtime: "workerd", rooms: ROOMS });
});
afterAll(() => seiriken?.stop());

const soon = <T>(attempt: () => T | Promise<T>): Promise<T> => eventually(attempt, { every: 100 });
const visibility = (tab: Tab) => tab.ask<string>("document.visibilityState");
const title = (tab: Tab) => tab.ask<string>("document.title");
const phase = (tab: Tab) => tab.ask<string>("document.body.dataset.phase");
const text = (tab: Tab, id: string) =>
  tab.ask<string>(`document.getElementById(${JSON.stringify(id)}).textContent`);
const reached = (room: Room) => reachedOrigin(seiriken.origin, room);
const visiting = async (room: Room): Promise<number> =>
  (await seiriken.visitor().get(`/.seiriken/rooms/${room}`)).json().visiting;

/** A tab that waits in a room with one permit, which somebody else holds. */
const waitingTab = async (tabs: HiddenTabs, room: Room) => {
  const holder = await visitorInside(seiriken, room);
  const tab = await tabs.open(`${seiriken.url}/${room}/seat`);
  await soon(async () => expect(await phase(tab)).toBe("waiting"));
  await soon(async () => expect(await text(tab, "number")).not.toBe(""));
  return { holder, tab };
};

/** Keeps every title of the page where the one after it can read them. */
const NOTE_TITLES = `(() => {
  const titles = [];
  new MutationObserver(() => {
    titles.push(document.title);
    sessionStorage.titles = JSON.stringify(titles);
  }).observe(document.querySelector("title"), { childList: true });
})()`;

/** Another tab before it. */
const hide = async (tabs: HiddenTabs, tab: Tab): Promise<Tab> => {
  const front = await tabs.open("about:blank");
  await soon(async () => expect(await visibility(tab)).toBe("hidden"));
  return front;
};

const isInside = (tab: Tab) =>
  soon(async () => expect(await tab.ask("document.getElementById('origin') !== null")).toBe(true));

describe.concurrent("a tab that nobody sees", () => {
  test("[MOMENT-2] [MOMENT-4] calls its visitor and does not go in; shown, it does", async () => {
    await using tabs = await openHiddenTabs();
    const { holder, tab } = await waitingTab(tabs, "called");
    await hide(tabs, tab);
    await holder.release();
    await soon(async () => expect(await title(tab)).toMatch(CALLS));
    const first = await title(tab);
    await soon(async () => expect(await title(tab)).not.toBe(first));
    expect(await title(tab)).toMatch(CALLS);
    // A room's state is up to 2 s old: at first it may tell of the visit that has just ended.
    await soon(async () => expect(await visiting("called")).toBe(0));
    expect(reached("called")).toEqual([]);
    await tab.show();
    await isInside(tab);
    expect(reached("called")).toEqual(["GET /called/seat"]);
  });

  test("[MOMENT-5] misses its call, rests, and goes on with its number when it is shown", async () => {
    await using tabs = await openHiddenTabs();
    const { holder, tab } = await waitingTab(tabs, "missed");
    const behind = seiriken.visitor({ room: "missed" });
    await takeNumber(behind);
    const number = await text(tab, "number");
    await hide(tabs, tab);
    await holder.release();
    await soon(async () => expect(await title(tab)).toMatch(/^You missed your call/));
    // Its permit goes to who comes next, and it does not stand in line again.
    await claimVisit(behind);
    await tab.show();
    await soon(async () => expect(await text(tab, "notices")).toContain("passed unused"));
    expect(await text(tab, "notices")).toContain(`You keep number ${number}`);
    expect(await text(tab, "number")).toBe(number);
    await behind.release();
    await isInside(tab);
  });

  test("[MOMENT-3] [MOMENT-6] goes in by itself on wish, and not before half of 20 s is over", async () => {
    await using tabs = await openHiddenTabs();
    const { holder, tab } = await waitingTab(tabs, "wished");
    await tab.ask("document.getElementById('takeIn').click()");
    await tab.reload();
    const pressed = () => tab.ask("document.getElementById('takeIn').getAttribute('aria-pressed')");
    await soon(async () => expect(await pressed()).toBe("true"));
    await tab.ask(NOTE_TITLES);
    await hide(tabs, tab);
    await holder.release();
    await isInside(tab);
    expect(await visibility(tab)).toBe("hidden");
    expect(reached("wished")).toEqual(["GET /wished/seat"]);
    const titles = await tab.ask<string[]>("JSON.parse(sessionStorage.titles)");
    const left = titles.filter((name) => CALLS.test(name)).map((name) => CALLS.exec(name)?.[2]);
    // Half of the claim time is due; a slow machine's timers are late, and count for more.
    expect(Number(left.at(-1))).toBeLessThan(16);
  });

  test("[MOMENT-7] leaves the lead to a tab in sight, though that was shown before it", async () => {
    await using tabs = await openHiddenTabs();
    const { holder, tab } = await waitingTab(tabs, "windows");
    const other = await tabs.open(`${seiriken.url}/windows/other`, "window");
    await soon(async () => expect(await phase(other)).toBe("waiting"));
    await tab.show();
    await hide(tabs, other);
    // On a slow machine the browser may have put that before this one too.
    await soon(async () => {
      if ((await visibility(tab)) !== "visible") await tab.show();
      expect(await visibility(tab)).toBe("visible");
    });
    await holder.release();
    await isInside(tab);
    expect(reached("windows")).toEqual(["GET /windows/seat"]);
    await soon(async () => expect(await phase(other)).toBe("elsewhere"));
  });
});

/** Counts the sockets of a page that are open or being opened. */
const COUNT_SOCKETS = `(() => {
  window.sockets = [];
  const Plain = WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...given) { super(...given); window.sockets.push(this); }
  };
})()`;
const openSockets = (tab: Tab) =>
  tab.ask<number>("window.sockets.filter(({ readyState }) => readyState < 2).length");

describe.concurrent("a tab that the browser puts aside", () => {
  test("[MOMENT-8] frozen: it is not called in vain; back again it goes on, with one socket", async () => {
    await using tabs = await openHiddenTabs();
    const { holder, tab } = await waitingTab(tabs, "frozen");
    const number = await text(tab, "number");
    await tab.ask(COUNT_SOCKETS);
    await hide(tabs, tab);
    await tab.freeze();
    const behind = seiriken.visitor({ room: "frozen" });
    await takeNumber(behind);
    // It is away: who stands behind it is called as soon as the grace of its socket is over.
    await soon(async () => {
      const state = await behind.get("/.seiriken/rooms/frozen/tickets/mine");
      expect(state.json().ahead).toBe(0);
    });
    await holder.release();
    await claimVisit(behind);
    await tab.thaw();
    await soon(async () => expect(await openSockets(tab)).toBe(1));
    await tab.show();
    await soon(async () => expect(await visibility(tab)).toBe("visible"));
    expect(await text(tab, "number")).toBe(number);
    await soon(async () => expect(await openSockets(tab)).toBe(1));
    await behind.release();
    await isInside(tab);
  });

  test("[MOMENT-8] thrown away: loaded again it has its number, and its wishes", async () => {
    await using tabs = await openHiddenTabs();
    const { holder, tab } = await waitingTab(tabs, "thrown");
    const number = await text(tab, "number");
    await tab.ask("document.getElementById('takeIn').click()");
    await hide(tabs, tab);
    await tab.discard();
    await tab.show();
    await soon(async () => expect(await tab.ask("document.wasDiscarded")).toBe(true));
    await soon(async () => expect(await text(tab, "number")).toBe(number));
    await soon(async () =>
      expect(await tab.ask("document.getElementById('takeIn').ariaPressed")).toBe("true"),
    );
    await holder.release();
    await isInside(tab);
  });
});

const OURS = "/.seiriken/bell/";
const SITES_OWN = `addEventListener("fetch", (event) => event.respondWith(fetch(event.request)));`;

test("[MOMENT-9] a notification calls; its worker is there only on wish, beside the site's own", async () => {
  seiriken.origin.handle(({ url }, response) => {
    const isScript = url.endsWith("/sw.js");
    const type = isScript ? "text/javascript" : "text/html";
    response.writeHead(200, { "content-type": type, "service-worker-allowed": "/" });
    response.end(
      isScript ? SITES_OWN : '<!doctype html><title>origin</title><p id="origin">in</p>',
    );
  });
  await using tabs = await openHiddenTabs();
  await tabs.allow(seiriken.url, "notifications");
  const free = await tabs.open(`${seiriken.url}/elsewhere/page`);
  await soon(async () => {
    if (await free.ask("document.getElementById('origin') !== null")) return;
    await free.reload();
    throw new Error(`not the site's page but ${await title(free)}`);
  });
  await free.ask(`navigator.serviceWorker.register("/elsewhere/sw.js", { scope: "/" })
    .then(() => navigator.serviceWorker.ready).then(() => true)`);
  const { holder, tab } = await waitingTab(tabs, "bell");
  const scopes = () =>
    tab.ask<string[]>(`navigator.serviceWorker.getRegistrations()
      .then((all) => all.map(({ scope }) => new URL(scope).pathname).sort())`);
  expect(await scopes()).toEqual(["/"]);
  await tab.ask("document.getElementById('notify').click()");
  await soon(async () => expect(await scopes()).toEqual(["/", OURS]));
  const notes = () =>
    tab.ask<string[]>(`navigator.serviceWorker.getRegistration("${OURS}")
      .then((ours) => ours.getNotifications()).then((all) => all.map(({ title }) => title))`);
  expect(await notes()).toEqual([]);
  const heard = await tab.hearNotifications();
  await hide(tabs, tab);
  await holder.release();
  /** What the page and its worker are at, for whoever reads of a failure. */
  const around = () =>
    tab.ask<string>(`navigator.serviceWorker.getRegistration("${OURS}").then((ours) => JSON.stringify([
      document.title, document.visibilityState, document.body.dataset.phase, Notification.permission,
      document.getElementById("notify")?.getAttribute("aria-pressed"),
      ours && [ours.installing, ours.waiting, ours.active].map((worker) => worker && worker.state)]))`);
  const called = ["Notification displayed: It is your turn"];
  await soon(async () => expect(heard, await around()).toEqual(called));
  expect(await notes()).toEqual(["It is your turn"]);
  await tab.show();
  await isInside(tab);
  await soon(async () => expect(await notes()).toEqual([]));
  expect(await tab.ask("new URL(navigator.serviceWorker.controller.scriptURL).pathname")).toBe(
    "/elsewhere/sw.js",
  );
});
