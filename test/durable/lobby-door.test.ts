import { afterEach, expect, test, vi } from "vitest";
import { lobbyIndex, ticketNumber } from "../../src/core/ids.ts";
import { Presence } from "../../src/core/lobby/presence.ts";
import type { Place } from "../../src/core/room/commands.ts";
import { instant } from "../../src/core/time.ts";
import { LOBBY_TICKET_HEADER, type TicketClaims } from "../../src/durable/contract.ts";
import type { PlaceFinder } from "../../src/durable/lobby/place-finder.ts";
import { SocketEndpoint } from "../../src/durable/lobby/socket-endpoint.ts";
import { LobbySockets } from "../../src/durable/lobby/sockets.ts";
import { eventually } from "../support/eventually.ts";
import { runAlarm } from "./alarms.ts";
import { Ear, take, visitOf } from "./ear.ts";
import { newRoom, visitorId } from "./objects.ts";
import { moment } from "./moment.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** One inside, one who waits with a socket. */
const waiting = async () => {
  const { lobby } = await newRoom({ permitsMax: 1, claimWithinMs: 600_000 });
  await visitOf(lobby(0), await take(lobby(0)));
  const ticket = await take(lobby(0));
  const ear = await Ear.open(lobby(0), ticket);
  await ear.heard("position");
  return { lobby: lobby(0), ticket, ear };
};

test("[SOCKET-1] a socket over which nothing was heard for 150 s is closed as idle", async () => {
  const { lobby, ear } = await waiting();
  vi.useFakeTimers({ toFake: ["Date"] });
  const openedAt = Date.now();
  vi.setSystemTime(openedAt + 140_000);
  await runAlarm(lobby);
  expect(ear.closed).toBeNull();
  vi.setSystemTime(openedAt + 150_000);
  await runAlarm(lobby);
  await eventually(() => expect(ear.closed).toMatchObject({ code: 4408, reason: "idle" }));
});

test("[SOCKET-2] more than 20 messages in 10 s close a socket; others of the ticket stay open", async () => {
  const { lobby, ticket, ear } = await waiting();
  const other = await Ear.open(lobby, ticket);
  await other.heard("position");
  for (let sent = 0; sent < 20; sent += 1) ear.say('{"type":"ready"}');
  other.say('{"type":"ready"}');
  await moment(50);
  expect(ear.closed).toBeNull();
  ear.say('{"type":"ready"}');
  await eventually(() => expect(ear.closed).toMatchObject({ code: 4429, reason: "too-many" }));
  expect(other.closed).toBeNull();
});

/** A door of its own, before a desk whose answer the test gives. */
const slowDoor = () => {
  const ctx = {
    setWebSocketAutoResponse: () => undefined,
    getWebSockets: () => [],
    getWebSocketAutoResponseTimestamp: () => null,
    acceptWebSocket: (socket: WebSocket) => accepted.push(socket),
  };
  const accepted: WebSocket[] = [];
  let answer: (place: Place | null) => void = () => undefined;
  const asked = new Promise<Place | null>((resolve) => {
    answer = resolve;
  });
  const presence = new Presence();
  const now = () => instant(Date.now());
  const places = { placeOf: () => null, comeBack: () => asked } as unknown as PlaceFinder;
  const sockets = new LobbySockets(ctx as unknown as DurableObjectState);
  const greeted: Place[] = [];
  const dismissed: number[] = [];
  const socketEndpoint = new SocketEndpoint({
    sockets,
    presence,
    places,
    now,
    greet: (place) => greeted.push(place),
    speak: () => Promise.resolve(),
    refuseTicket: (number) => dismissed.push(number),
  });
  const open = () => {
    const held: TicketClaims = {
      number: ticketNumber(7),
      visitor: visitorId(),
      lobby: lobbyIndex(0),
      joinedAt: now(),
      heardAt: now(),
    };
    const headers = { [LOBBY_TICKET_HEADER]: JSON.stringify(held) };
    socketEndpoint.open(new Request("http://lobby/socket", { headers }));
    return accepted.at(-1) as WebSocket;
  };
  return { socketEndpoint, presence, sockets, greeted, dismissed, open, answer };
};

const PLACE: Place = { number: ticketNumber(7), state: "waiting", ahead: 0, claimBy: null };

test("[SOCKET-3] a socket that has left before it was told its place keeps nobody present", async () => {
  const { socketEndpoint, presence, sockets, greeted, open, answer } = slowDoor();
  const socket = open();
  socketEndpoint.closed(socket, 1006, "");
  presence.confirmed(ticketNumber(7), null, instant(Date.now()));
  answer(PLACE);
  await scheduler.wait(1);
  expect(greeted).toEqual([]);
  expect(sockets.of(ticketNumber(7)).size).toBe(0);
  presence.sweep(instant(Date.now() + 4_900), 3_600_000, () => null);
  expect(presence.isPresent(ticketNumber(7))).toBe(true);
  presence.sweep(instant(Date.now() + 5_100), 3_600_000, () => null);
  expect(presence.isPresent(ticketNumber(7))).toBe(false);
});

test("[SOCKET-3] one socket of several that leaves early does not count for another", async () => {
  const { socketEndpoint, presence, open, answer } = slowDoor();
  const first = open();
  const second = open();
  socketEndpoint.closed(first, 1006, "");
  answer(PLACE);
  await scheduler.wait(1);
  presence.sweep(instant(Date.now() + 60_000), 3_600_000, () => null);
  expect(presence.isPresent(ticketNumber(7))).toBe(true);
  socketEndpoint.closed(second, 1000, "");
  presence.sweep(instant(Date.now() + 60_000), 3_600_000, () => null);
  expect(presence.isPresent(ticketNumber(7))).toBe(false);
});

test("[SOCKET-4] a number that is spent loses all its sockets", async () => {
  const { dismissed, open, answer } = slowDoor();
  open();
  answer(null);
  await scheduler.wait(1);
  expect(dismissed).toEqual([7]);
});
