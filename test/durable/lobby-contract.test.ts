import { runInDurableObject } from "cloudflare:test";
import { afterEach, vi } from "vitest";
import { ticketNumber } from "../../src/core/ids.ts";
import { roomOf, World } from "../worker/fakes.ts";
import { lobbyContract } from "./lobby-contract/contract.ts";
import type { OpenStage } from "./lobby-contract/stage.ts";
import { definition, newRoom, visitorId } from "./objects.ts";

/** The Date of the test and of the objects, which live in its isolate. */
const stopClock = (): void => {
  vi.useFakeTimers({ toFake: ["Date"] });
};

const openReal: OpenStage = async ({ isFull = false, permit = "visit" } = {}) => {
  stopClock();
  const limits = { permit, permitsMax: isFull ? 1 : 60 };
  const { id, room, lobby: at } = await newRoom(limits);
  const lobby = at(0);
  if (isFull && permit === "visit")
    await lobby.enter({ visitor: visitorId(), transient: false, number: null, address: null });
  if (isFull && permit === "request")
    await lobby.wait({ waitId: "inside", ticket: null, holdMs: 0, address: null });
  /** Number 1 came first. */
  const frees = () => lobby.end(ticketNumber(1), 0);
  return {
    lobby,
    pass: async (ms) => void vi.setSystemTime(Date.now() + ms),
    frees,
    breaks: () =>
      runInDurableObject(lobby as never, (object: object) => {
        const getByName = () => ({ batch: () => Promise.reject(new Error("out of reach")) });
        Object.assign(object, { env: { ROOM: { getByName } } });
      }),
    becomes: (mode) =>
      room.configure(
        definition(id, {
          ...limits,
          paused: mode === "paused",
          closed: mode === "closed" ? "Sold out" : null,
          suspended: mode === "suspended",
        }),
      ),
  };
};

afterEach(() => {
  vi.useRealTimers();
});

const openFake: OpenStage = async ({ isFull = false, permit = "visit" } = {}) => {
  const world = new World({ rooms: [roomOf({ limits: { permit } })] });
  if (isFull) world.say({ mode: "queues" });
  return {
    lobby: world.env.LOBBY.getByName("room/0"),
    pass: (ms) => world.advance(ms),
    frees: async () => world.say({ mode: "open" }),
    breaks: async () => world.breakObjects(),
    becomes: async (mode) => world.say({ mode }),
  };
};

lobbyContract("the objects", openReal);
lobbyContract("what the Worker's tests script", openFake);
