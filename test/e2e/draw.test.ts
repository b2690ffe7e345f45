import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { chainHashOf, type DrandChain } from "../../src/core/draw/drand-chain.ts";
import { DrawnOrder } from "../../src/core/draw/drawn-order.ts";
import { bytesOfHex, hex } from "../../src/core/hex.ts";
import { ticketNumber } from "../../src/core/ids.ts";
import { Command } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";
import { ask, type Answer } from "../support/http.ts";
import { takeNumber } from "../support/journey.ts";
import { roomOver, visitorInside } from "../support/rooms.ts";
import { startSeiriken, type Seiriken } from "../support/seiriken.ts";
import type { Visitor } from "../support/visitor.ts";

/** A chain of our own, with a round a second. */
const secretKey = bls12_381.utils.randomSecretKey();
const { shortSignatures } = bls12_381;
const unnamed: DrandChain = {
  hash: "",
  scheme: "bls-unchained-g1-rfc9380",
  publicKey: hex(shortSignatures.getPublicKey(secretKey).toBytes()),
  periodSeconds: 1,
  genesisSeconds: Math.floor(Date.now() / 1_000) - 60,
  groupHash: "5e".repeat(32),
  beaconId: "loopback",
};
const chain = { ...unnamed, hash: chainHashOf(unnamed) ?? "" };
const info = {
  hash: chain.hash,
  schemeID: chain.scheme,
  public_key: chain.publicKey,
  period: chain.periodSeconds,
  genesis_time: chain.genesisSeconds,
  groupHash: chain.groupHash,
  metadata: { beaconID: chain.beaconId },
};
const signatureOf = (round: number): string => {
  const message = new Uint8Array(8);
  new DataView(message.buffer).setBigUint64(0, BigInt(round));
  const suite = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
  const hashed = shortSignatures.hash(sha256(message), suite);
  return hex(shortSignatures.sign(hashed, secretKey).toBytes());
};
const LATE_MS = 1_200;

/** `/lying` signs another round than it says, `/late` takes its time; both only what is due. */
const asked: string[] = [];
const startRelay = async (): Promise<Server> => {
  const relay = createServer((request, response) => {
    const url = request.url ?? "";
    const [, kind = "", hash, , text] = url.split("/");
    const round = Number(text);
    const isDue = Date.now() >= (chain.genesisSeconds + round - 1) * 1_000;
    asked.push(isDue ? kind : "too early");
    if (hash !== chain.hash || !isDue) {
      response.writeHead(404).end();
      return;
    }
    const signature = signatureOf(kind === "lying" ? round + 1 : round);
    const answer = JSON.stringify({ round, signature, randomness: "00" });
    setTimeout(() => response.end(answer), kind === "late" ? LATE_MS : 0);
  });
  await new Promise<void>((listening) => relay.listen(0, "127.0.0.1", listening));
  return relay;
};

let relay: Server;
let seiriken: Seiriken;
const folder = mkdtempSync(join(tmpdir(), "draw-"));
beforeAll(async () => {
  relay = await startRelay();
  const at = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
  const down = "http://127.0.0.1:1";
  seiriken = await startSeiriken({
    rooms: ["drawn", "seen"].map((name) => roomOver(name, { total_active_users: 1 })),
    env: { DRAND_URL: `${at}/lying,${down},${at}/late`, DRAND_CHAIN: JSON.stringify(info) },
  });
});
afterAll(async () => {
  await seiriken.stop();
  relay.close();
  rmSync(folder, { recursive: true, force: true });
});

const START_IN_MS = 8_000;

/** An event of this room that starts in some seconds; its prequeue has begun. Its id. */
const eventIn = async (room: string, draw: string): Promise<string> => {
  const listed = await seiriken.manage("GET", "/waiting_rooms");
  const { id } = listed.json().result.find(({ name }: { name: string }) => name === room);
  const start = Date.now() + START_IN_MS;
  const time = (ms: number): string => new Date(start + ms).toISOString();
  const made = await seiriken.manage("POST", `/waiting_rooms/${id}/events`, {
    name: "Sale",
    prequeue_start_time: time(-301_000),
    event_start_time: time(0),
    event_end_time: time(3_600_000),
    shuffle_at_event_start: true,
    seiriken: { draw },
  });
  expect(made.status, made.text).toBe(200);
  return made.json().result.id;
};

const pathOf = (room: string, event: string): string => `/.seiriken/rooms/${room}/draws/${event}`;
const recordOf = async (room: string, event = "Sale", query = ""): Promise<Answer> =>
  ask(`${seiriken.url}${pathOf(room, event)}${query}`);
const closedRecord = (room: string) =>
  eventually(async () => {
    const answer = await recordOf(room);
    expect(answer.status, answer.text).toBe(200);
    const record = answer.json();
    return record.closed === null ? false : record;
  });
const enter = (room: string, event: string, body: unknown): Promise<Answer> =>
  ask(`${seiriken.url}/.seiriken/api/rooms/${room}/draws/${event}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${seiriken.adminToken}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
/** So many join; by their numbers. */
const crowd = async (room: string, count: number): Promise<Map<number, Visitor>> => {
  const joining = Array.from({ length: count }, async () => {
    const visitor = seiriken.visitor({ room });
    return [await takeNumber(visitor), visitor] as const;
  });
  return new Map(await Promise.all(joining));
};
const inPrequeue = (room: string) =>
  eventually(async () => {
    const state = (await ask(`${seiriken.url}/.seiriken/rooms/${room}`)).json();
    return state.state === "paused";
  });
const rankedOf = (record: any): number[] => {
  const { first, last } = record.closed;
  const order = new DrawnOrder(bytesOfHex(record.drawn.seed)!, { first, last });
  return Array.from({ length: order.size }, (_, at) => Number(order.numberAt(at + 1)));
};

test("[DRAW-19] [DRAW-21] [DRAW-22] [DRAW-24] [DRAW-25] a real draw: announced, closed, killed, drawn, called by rank, checked by anybody", async () => {
  const inside = await visitorInside(seiriken, "drawn");
  const [older] = await crowd("drawn", 1);
  const [drawnBy, seenBy] = await Promise.all([
    eventIn("drawn", "drand"),
    eventIn("seen", "witnesses"),
  ]);
  const announced = (await recordOf("drawn", drawnBy)).json();
  expect(announced).toMatchObject({ event: drawnBy, closed: null, drawn: null });
  expect(announced.announced.public_value).toMatchObject({ from: "drand", chain: info });
  expect((await recordOf("drawn", "none")).json()).toMatchObject({ code: "draw-not-found" });
  await Promise.all([inPrequeue("drawn"), inPrequeue("seen")]);
  const [visitors, witnesses] = await Promise.all([crowd("drawn", 32), crowd("seen", 5)]);
  expect((await enter("seen", seenBy, { text: "7" })).json().code).toBe("draw-not-running");

  const closed = await closedRecord("drawn");
  expect(closed.closed).toMatchObject({ first: older![0] + 1, last: older![0] + 32 });
  expect([...visitors.keys()].sort((a, b) => a - b)).toEqual(
    Array.from({ length: 32 }, (_, at) => older![0] + 1 + at),
  );
  await seiriken.kill9();
  const files = { before: join(folder, "before.json"), chain: join(folder, "chain.json") };
  writeFileSync(files.before, JSON.stringify(closed));
  writeFileSync(files.chain, JSON.stringify(info));
  const [late] = await crowd("drawn", 1);
  const everybody = new Map([older!, ...visitors, late!]);
  const sockets = await Promise.all(
    [...everybody.values(), ...witnesses.values()].map((one) => one.socket()),
  );

  // Meanwhile the other room's operator enters what its witnesses saw.
  expect((await enter("seen", seenBy, { text: "" })).json()).toMatchObject({
    code: "draw-value-invalid",
    errors: [{ pointer: "/text" }],
  });
  expect((await enter("seen", seenBy, { text: "7 13 21" })).json()).toMatchObject({
    drawn: { public_value: { from: "witnesses", text: "7 13 21" } },
  });
  expect((await enter("seen", seenBy, { text: "7 13 21" })).status).toBe(200);
  expect((await enter("seen", seenBy, { text: "8" })).json().code).toBe("drawn-already");
  expect((await enter("drawn", drawnBy, { text: "7" })).json().code).toMatch(
    /draw-of-another-value|drawn-already/,
  );

  const record = await eventually(async () => {
    const answer = await recordOf("drawn");
    expect(answer.status, answer.text).toBe(200);
    return answer.json().drawn === null ? false : answer.json();
  });
  expect(record).toMatchObject({ ...closed, drawn: { public_value: { from: "drand" } } });
  const { round } = closed.announced.public_value;
  expect(record.drawn.public_value).toMatchObject({ round, signature: signatureOf(round) });
  expect(asked.slice(0, 2)).toEqual(["lying", "late"]);

  // The permit goes round: who stands behind whom is called after whom.
  const ranked = rankedOf(record);
  await inside.release();
  for (const number of [older![0], ...ranked, late![0]]) {
    const visitor = everybody.get(number)!;
    await eventually(async () => (await visitor.claim()).status === 201);
    await visitor.release();
  }
  const seen = rankedOf((await recordOf("seen")).json());
  for (const number of seen.slice(0, 3)) {
    const visitor = witnesses.get(number)!;
    await eventually(async () => (await visitor.claim()).status === 201);
    await visitor.release();
  }

  const [third = 0] = ranked.slice(2);
  const own = (await recordOf("drawn", "Sale", `?number=${third}`)).json();
  expect(own).toEqual({ ...record, number: third, rank: 3 });
  expect((await recordOf("drawn", "Sale", `?number=${late![0]}`)).json().rank).toBeNull();
  expect((await recordOf("drawn", "Sale", "?number=0")).status).toBe(400);
  const url = seiriken.url + pathOf("drawn", "Sale");
  const { before, chain: trusted } = files;
  const args = [url, String(third), "--chain", trusted, "--before", before];
  const verified = new Command("cli/verify-draw.ts", args);
  expect([await verified.ended(), verified.stderr]).toEqual([0, ""]);
  expect(verified.lines.at(-1)).toContain(" 3 ");
  expect(ticketNumber(third)).toBe(third);
  sockets.forEach((socket) => socket.close());
}, 90_000);
