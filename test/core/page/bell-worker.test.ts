import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { bellWorker } from "../../../src/worker/page/assets.gen.ts";

interface Window {
  readonly url: string;
  readonly focus: () => Promise<string>;
}

const HERE = "https://shop.example/tickets";
const TO = "https://shop.example/tickets?day=2";

/** The worker's world, as far as it needs one. */
const start = (windows: readonly Window[] = [], { isActive = true } = {}) => {
  const listeners = new Map<string, (event: object) => void>();
  const done: unknown[] = [];
  const shown: { tag: string; close(): void }[] = [];
  const closed: string[] = [];
  const self = {
    addEventListener: (type: string, listener: (event: object) => void) =>
      listeners.set(type, listener),
    registration: {
      active: isActive ? {} : null,
      showNotification: async (text: string, options: object) => ({ text, ...options }),
      getNotifications: async ({ tag }: { tag: string }) =>
        shown.filter((notification) => notification.tag === tag),
    },
    clients: {
      matchAll: async () => windows,
      openWindow: async (url: string) => `opened ${url}`,
    },
  };
  runInNewContext(bellWorker, { self, URL });
  const send = async (type: string, event: object): Promise<unknown> => {
    listeners.get(type)?.({ ...event, waitUntil: (work: unknown) => done.push(work) });
    return done.at(-1);
  };
  return {
    heardOf: [...listeners.keys()],
    shown,
    closed,
    send,
    click: () =>
      send("notificationclick", {
        notification: {
          data: { here: HERE, to: "/tickets?day=2" },
          close: () => closed.push("clicked"),
        },
      }),
  };
};
const page = (url: string): Window => ({ url, focus: async () => `focused ${url}` });

describe("the service worker of notifications", () => {
  test("[MOMENT-9] hears messages and clicks, and no fetch", () => {
    expect(start().heardOf).toEqual(["message", "notificationclick"]);
  });

  test("[MOMENT-9] shows one notification of a room at a time, that stays until it is answered", async () => {
    const data = { text: "It is your turn", body: "Shop", tag: "room", here: HERE, to: TO };
    expect(await start().send("message", { data })).toMatchObject({
      text: "It is your turn",
      body: "Shop",
      tag: "room",
      renotify: true,
      requireInteraction: true,
      data: { here: HERE, to: TO },
    });
  });

  test("[MOMENT-9] a turn that comes while it is being installed is shown once it is there", async () => {
    const worker = start([], { isActive: false });
    const data = { text: "It is your turn", body: "Shop", tag: "room", here: HERE, to: TO };
    let isShown = false;
    const showing = worker.send("message", { data }).then((shown) => {
      isShown = true;
      return shown;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isShown).toBe(false);
    void worker.send("activate", {});
    expect(await showing).toMatchObject({ text: "It is your turn" });
  });

  test("[MOMENT-9] takes back what it shows of that room, and of no other", async () => {
    const worker = start();
    for (const tag of ["room", "other"])
      worker.shown.push({ tag, close: () => worker.closed.push(tag) });
    await worker.send("message", { data: { tag: "room", body: "Shop", here: HERE, to: TO } });
    expect(worker.closed).toEqual(["room"]);
  });

  test.each([
    ["the page that waits", [page(TO), page(HERE)], `focused ${HERE}`],
    ["the page that went in", [page("https://shop.example/"), page(TO)], `focused ${TO}`],
    ["a new page", [page("https://shop.example/")], `opened ${TO}`],
    ["a new page where none comes to the front", [failing(HERE)], `opened ${TO}`],
  ])("[MOMENT-9] a click leads to %s", async (_, windows, answer) => {
    const worker = start(windows);
    expect(await worker.click()).toBe(answer);
    expect(worker.closed).toEqual(["clicked"]);
  });
});

function failing(url: string): Window {
  return { url, focus: async () => Promise.reject(new Error("not allowed")) };
}
