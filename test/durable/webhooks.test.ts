import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { DELIVERIES_MAX, WEBHOOKS_MAX } from "../../src/core/alerts/webhook.ts";
import { instant } from "../../src/core/time.ts";
import { definition, roomId, withRegistry } from "./registry-harness.ts";
import {
  AT,
  HERE,
  made,
  noted,
  read,
  Receivers,
  settled,
  states,
  verified,
  wake,
} from "./webhooks-harness.ts";

const ROOM = roomId("a");
const HOUR = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: AT });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("[WEBHOOK-3] what is sent satisfies the published verifier, with the time of the try and the body of the alert", () =>
  withRegistry("hooks-sent", async ({ registry }) => {
    const receivers = new Receivers();
    await registry.create(definition(ROOM, "shop"));
    const { secret } = await made(registry);
    receivers.answer(500);
    expect(await registry.raise(ROOM, [noted(1)])).toBe(1);
    await settled();
    receivers.answer(200);
    await wake(registry, HOUR);
    const [first, again] = receivers.received;
    if (first === undefined || again === undefined) throw new Error("it was sent twice");
    expect(verified(secret, again)).toEqual({
      type: "line.began",
      timestamp: new Date(AT - 5).toISOString(),
      data: { room: { id: ROOM, name: "shop" }, waiting: 1 },
    });
    expect([again.body, again.headers["webhook-id"]]).toEqual([
      first.body,
      first.headers["webhook-id"],
    ]);
    expect(again.headers["webhook-id"]).toBe(`alert_${ROOM}_1`);
    expect(again.headers["webhook-timestamp"]).toBe(String((AT + HOUR) / 1_000));
    const forged = { ...again, body: again.body.replace("shop", "flop") };
    expect(() => verified(secret, forged)).toThrow("No matching signature");
    expect(receivers.received).toHaveLength(2);
  }));

test("[WEBHOOK-2] after a rotation both secrets sign for a day, then the new one alone", () =>
  withRegistry("hooks-rotated", async ({ registry, restart }) => {
    const receivers = new Receivers();
    const { webhook, secret } = await made(registry);
    const reply = await registry.webhook("rotate", { id: webhook.id });
    const next = reply.ok ? reply.value.secret : "";
    expect([secret, next].every((one) => /^whsec_[A-Za-z0-9+/]{43}=$/.test(one))).toBe(true);
    expect(next).not.toBe(secret);
    vi.setSystemTime(AT + 24 * HOUR - 1);
    await registry.raise(ROOM, [noted(1)]);
    await settled();
    vi.setSystemTime(AT + 24 * HOUR);
    await restart().raise(ROOM, [noted(2)]);
    await settled();
    const [both, one] = receivers.received;
    if (both === undefined || one === undefined) throw new Error("both were sent");
    expect(both.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    expect(one.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
    vi.setSystemTime(AT + 24 * HOUR);
    for (const by of [secret, next]) expect(verified(by, both)).toBeTypeOf("object");
    expect(verified(next, one)).toBeTypeOf("object");
    expect(() => verified(secret, one)).toThrow("No matching signature");
    expect(JSON.stringify(await registry.webhook("list", {}))).not.toContain("whsec");
  }));

describe("the outbox", () => {
  test("[WEBHOOK-4] an alert that a Room hands over again is one delivery, also after a restart", () =>
    withRegistry("hooks-again", async ({ registry, restart }) => {
      const receivers = new Receivers();
      const { webhook } = await made(registry);
      expect(await registry.raise(ROOM, [noted(1), noted(2)])).toBe(2);
      const later = restart();
      expect(await later.raise(ROOM, [noted(1), noted(2), noted(3)])).toBe(3);
      expect(await later.raise(ROOM, [noted(2)])).toBe(3);
      await settled();
      expect(await states(later, webhook.id)).toEqual([
        "delivered 1",
        "delivered 1",
        "delivered 1",
      ]);
      expect(new Set(receivers.ids).size).toBe(3);
    }));

  test("[WEBHOOK-9] what waited when the object died is sent by its alarm", () =>
    withRegistry("hooks-restart", async ({ registry, restart, state }) => {
      const receivers = new Receivers();
      receivers.answers.set(HERE, () => new Promise(() => {}));
      const { webhook } = await made(registry);
      await registry.raise(ROOM, [noted(1)]);
      await settled();
      expect(await state.storage.getAlarm()).toBe(AT + 15_000);
      receivers.answer(200);
      const later = restart();
      await wake(later, 15_000);
      expect(await states(later, webhook.id)).toEqual(["delivered 1"]);
      expect(receivers.ids).toEqual([`alert_${ROOM}_1`, `alert_${ROOM}_1`]);
      expect(await state.storage.getAlarm()).toBeNull();
    }));

  test("[WEBHOOK-8] the oldest go when there are too many, and those that were not sent are counted", () =>
    withRegistry("hooks-many", async ({ registry }) => {
      new Receivers().answer(503);
      const { webhook } = await made(registry);
      const alerts = Array.from({ length: DELIVERIES_MAX + 7 }, (_, at) => noted(at + 1));
      await registry.raise(ROOM, alerts);
      await settled();
      expect(await states(registry, webhook.id)).toHaveLength(DELIVERIES_MAX);
      expect((await read(registry, webhook.id)).dropped).toBe(7);
      const reply = await registry.webhook("deliveries", { id: webhook.id, limit: 1 });
      expect(reply.ok && reply.value[0]?.alertId).toBe(`alert_${ROOM}_${DELIVERIES_MAX + 7}`);
    }));

  test("[WEBHOOK-10] a webhook gets the types and rooms that it asks for, and nothing new while it is off", () =>
    withRegistry("hooks-wanted", async ({ registry }) => {
      const receivers = new Receivers();
      await registry.create(definition(ROOM, "shop"));
      const b = roomId("b");
      await registry.create(definition(b, "other"));
      const byRoom = await made(registry, { url: `${HERE}/room`, rooms: ["SHOP", ROOM] });
      await made(registry, { url: `${HERE}/type`, types: ["line.ended"] });
      await made(registry, { url: `${HERE}/off`, enabled: false });
      expect(byRoom.webhook.rooms).toEqual([ROOM]);
      await registry.raise(ROOM, [noted(1)]);
      await registry.raise(b, [noted(1, { type: "line.ended" })]);
      await settled();
      expect(receivers.received.map(({ url }) => url).toSorted()).toEqual([
        `${HERE}/room`,
        `${HERE}/type`,
      ]);
      const unknown = await registry.webhook("change", {
        id: byRoom.webhook.id,
        input: { rooms: ["shop", "nowhere"] },
      });
      expect(unknown).toEqual({
        ok: false,
        problem: {
          code: "invalid",
          problems: [{ keys: ["rooms", 1], message: "is no room's name or id" }],
        },
      });
      // What was read may be sent back, also when a room is gone.
      await registry.remove(ROOM);
      const { id } = byRoom.webhook;
      const same = await registry.webhook("change", { id, input: { rooms: [ROOM, "other"] } });
      expect(same.ok && same.value.rooms).toEqual([ROOM, b]);
    }));
});

describe("a receiver that says no", () => {
  test.each([301, 307, 400, 404, 429, 500, 503])(
    "[WEBHOOK-5] %i is tried again, and a redirection is not followed",
    (status) =>
      withRegistry(`hooks-${status}`, async ({ registry, state }) => {
        const receivers = new Receivers();
        receivers.answer(status, { Location: "https://elsewhere.example.com/" });
        const { webhook } = await made(registry);
        await registry.raise(ROOM, [noted(1)]);
        await settled();
        expect(await states(registry, webhook.id)).toEqual(["waiting 1"]);
        const alarm = (await state.storage.getAlarm()) ?? 0;
        expect(alarm).toBeGreaterThanOrEqual(AT + 4_000);
        expect(alarm).toBeLessThanOrEqual(AT + 6_000);
        await wake(registry, alarm - AT);
        expect(await states(registry, webhook.id)).toEqual(["waiting 2"]);
        expect(new Set(receivers.received.map(({ url }) => url))).toEqual(new Set([HERE]));
      }),
  );

  test("[WEBHOOK-5] Retry-After is heeded, and a day later it is given up", () =>
    withRegistry("hooks-later", async ({ registry, state }) => {
      const receivers = new Receivers();
      receivers.answer(429, { "Retry-After": "3600" });
      const { webhook } = await made(registry);
      await registry.raise(ROOM, [noted(1)]);
      await settled();
      expect(await state.storage.getAlarm()).toBe(AT + HOUR);
      vi.setSystemTime(AT + 24 * HOUR);
      await wake(registry);
      expect(await states(registry, webhook.id)).toEqual(["failed 1"]);
      expect(receivers.received).toHaveLength(1);
      expect(await state.storage.getAlarm()).toBeNull();
    }));

  test("[WEBHOOK-6] 410 turns it off, and what waited is given up; turned on it begins anew", () =>
    withRegistry("hooks-gone", async ({ registry, state }) => {
      const receivers = new Receivers();
      receivers.answer(410);
      const { webhook } = await made(registry);
      await registry.raise(ROOM, [noted(1), noted(2)]);
      await settled();
      const off = await read(registry, webhook.id);
      expect([off.enabled, off.offReason]).toEqual([false, "gone"]);
      expect(await states(registry, webhook.id)).toEqual(["failed 1", "failed 0"]);
      expect(await state.storage.getAlarm()).toBeNull();
      receivers.answer(200);
      const on = await registry.webhook("change", { id: webhook.id, input: { enabled: true } });
      expect(on.ok && on.value).toMatchObject({ enabled: true, offReason: null, failedInARow: 0 });
      await registry.raise(ROOM, [noted(3)]);
      await settled();
      expect((await states(registry, webhook.id)).at(-1)).toBe("delivered 1");
    }));

  test("[WEBHOOK-6] a no on its way to the old URL does not turn the new one off", () =>
    withRegistry("hooks-moved", async ({ registry }) => {
      const receivers = new Receivers();
      const late = Promise.withResolvers<Response>();
      receivers.answers.set(HERE, () => late.promise);
      const { webhook } = await made(registry);
      await registry.raise(ROOM, [noted(1)]);
      await settled();
      await registry.webhook("change", { id: webhook.id, input: { url: `${HERE}/new` } });
      late.resolve(new Response(null, { status: 410 }));
      await settled();
      expect(await read(registry, webhook.id)).toMatchObject({ enabled: true, failedInARow: 0 });
      await wake(registry, 6_000);
      expect(await states(registry, webhook.id)).toEqual(["delivered 2"]);
      expect(receivers.received.at(-1)?.url).toBe(`${HERE}/new`);
    }));

  test("[WEBHOOK-6] five days without a yes turn it off; one yes before forgets them", () =>
    withRegistry("hooks-days", async ({ registry }) => {
      const receivers = new Receivers();
      receivers.answer(500);
      const { webhook } = await made(registry);
      const days = async (from: number, until: number) => {
        for (let day = from; day <= until; day += 1) {
          vi.setSystemTime(AT + day * 24 * HOUR);
          await registry.raise(ROOM, [noted(day + 1)]);
          await wake(registry);
        }
      };
      await days(0, 4);
      receivers.answer(200);
      await days(5, 5);
      expect((await read(registry, webhook.id)).failingSince).toBeNull();
      receivers.answer(500);
      await days(6, 10);
      expect((await read(registry, webhook.id)).enabled).toBe(true);
      await days(11, 11);
      expect(await read(registry, webhook.id)).toMatchObject({
        enabled: false,
        offReason: "failing",
      });
    }));

  test("[WEBHOOK-7] it rests after a failure, and is asked with one delivery, not with all", () =>
    withRegistry("hooks-rest", async ({ registry, state }) => {
      const receivers = new Receivers();
      receivers.answer(500);
      const { webhook } = await made(registry);
      await registry.raise(
        ROOM,
        Array.from({ length: 50 }, (_, at) => noted(at + 1)),
      );
      await settled();
      for (let round = 0; round < 5; round += 1) {
        await wake(registry, ((await state.storage.getAlarm()) ?? 0) - Date.now());
      }
      expect(receivers.received).toHaveLength(6);
      const spans = receivers.received.map(({ at }) => at - AT);
      expect(spans[5]).toBeGreaterThan(0.8 * (5 + 10 + 20 + 40 + 80) * 1_000 - 1_000);
      receivers.answer(200);
      await wake(registry, 5 * 60_000);
      const all = await states(registry, webhook.id);
      expect(all.filter((state_) => state_.startsWith("delivered")).length).toBeGreaterThan(43);
    }));
});

test("[WEBHOOK-7] one that is slow holds up none of the others", () =>
  withRegistry("hooks-slow", async ({ registry }) => {
    const receivers = new Receivers();
    const slow = `${HERE}/slow`;
    receivers.answers.set(slow, () => new Promise(() => {}));
    await made(registry, { url: slow });
    const { webhook } = await made(registry, { url: `${HERE}/quick` });
    await registry.raise(ROOM, [noted(1), noted(2)]);
    await settled();
    await registry.raise(ROOM, [noted(3)]);
    await settled();
    expect(await states(registry, webhook.id)).toEqual([
      "delivered 1",
      "delivered 1",
      "delivered 1",
    ]);
    expect(receivers.received.filter(({ url }) => url === slow)).toHaveLength(1);
  }));

test("[WEBHOOK-7] six are asked at once, the next when one has answered", () =>
  withRegistry("hooks-six", async ({ registry }) => {
    const receivers = new Receivers();
    const answers = Array.from({ length: 8 }, () => Promise.withResolvers<Response>());
    for (const [at, { promise }] of answers.entries()) {
      receivers.answers.set(`${HERE}/${at}`, () => promise);
      await made(registry, { url: `${HERE}/${at}` });
    }
    await registry.raise(ROOM, [noted(1)]);
    await settled();
    const asked = () => receivers.received.length;
    expect(asked()).toBe(6);
    answers[0]?.resolve(new Response(null, { status: 204 }));
    await settled();
    expect(asked()).toBe(7);
    for (const { resolve } of answers) resolve(new Response(null, { status: 204 }));
    await settled();
    expect(asked()).toBe(8);
  }));

test("[WEBHOOK-12] a test is sent at once and once, whether the webhook is on or not", () =>
  withRegistry("hooks-test", async ({ registry }) => {
    const receivers = new Receivers();
    receivers.answer(418);
    const { webhook, secret } = await made(registry, { enabled: false, types: ["line.began"] });
    const reply = await registry.webhook("test", { id: webhook.id });
    expect(reply).toEqual({
      ok: true,
      value: { at: AT, status: 418, tookMs: 0, problem: "answered 418" },
    });
    receivers.answers.set(HERE, () => Promise.reject(new Error("connection refused")));
    const unreached = await registry.webhook("test", { id: webhook.id });
    expect(unreached.ok && unreached.value).toMatchObject({
      status: null,
      problem: "not reached: connection refused",
    });
    const [first] = receivers.received;
    expect(first && verified(secret, first)).toMatchObject({
      type: "webhook.test",
      data: { webhook: "duty" },
    });
    expect(await states(registry, webhook.id)).toEqual([]);
  }));

test("[WEBHOOK-1] there are at most twenty, and a deleted one takes its deliveries along", () =>
  withRegistry("hooks-twenty", async ({ registry, state }) => {
    new Receivers().answer(500);
    const ids: string[] = [];
    for (let count = 0; count < WEBHOOKS_MAX; count += 1)
      ids.push((await made(registry)).webhook.id);
    await expect(made(registry)).rejects.toThrow("too-many");
    await registry.raise(ROOM, [noted(1)]);
    await settled();
    for (const id of ids) expect((await registry.webhook("remove", { id })).ok).toBe(true);
    await settled();
    expect(state.storage.sql.exec("SELECT count(*) AS n FROM deliveries").one()["n"]).toBe(0);
    expect(await state.storage.getAlarm()).toBeNull();
  }));

test("[WEBHOOK-11] a change that was based on another version changes nothing", () =>
  withRegistry("hooks-versions", async ({ registry }) => {
    new Receivers();
    const { webhook } = await made(registry);
    const { id, modifiedAt } = webhook;
    const change = (name: string, readAt: number) =>
      registry.webhook("change", { id, input: { name }, readAt: [instant(readAt)] });
    expect(await change("a", modifiedAt - 1)).toEqual({
      ok: false,
      problem: { code: "modified-since" },
    });
    const reply = await change("b", modifiedAt);
    expect(reply.ok && reply.value).toMatchObject({ name: "b", modifiedAt: modifiedAt + 1 });
    expect((await change("c", modifiedAt)).ok).toBe(false);
    const gone = await registry.webhook("remove", { id, readAt: [modifiedAt] });
    expect(gone.ok).toBe(false);
  }));

test("[WEBHOOK-14] a change is told with its entry in the audit log, by name alone", () =>
  withRegistry("hooks-audit", async ({ registry }) => {
    const receivers = new Receivers();
    const { secret } = await made(registry, { types: ["settings.changed"] });
    const by = {
      id: "1".repeat(32),
      name: "till",
      rooms: null,
      network: "203.0.113.7",
      reference: "ABCD2345",
    };
    await registry.create(definition(ROOM, "shop"), by);
    // One that changes nothing is no entry, and one that is refused is none.
    await registry.replace(definition(ROOM, "shop"), undefined, by);
    await registry.create(definition(ROOM, "shop"), by);
    await registry.enterAudit(
      {
        action: "visits-ended",
        room: null,
        target: "7",
        differences: { changes: {}, leftOut: [] },
      },
      by,
    );
    await settled();
    const [first, second] = receivers.received;
    if (first === undefined || second === undefined) throw new Error("both were told");
    expect(receivers.received).toHaveLength(2);
    expect(verified(secret, first)).toEqual({
      type: "settings.changed",
      timestamp: new Date(AT).toISOString(),
      data: {
        room: { id: ROOM, name: "shop" },
        audit_id: 1,
        action: "room-created",
        target: null,
        by: "till",
      },
    });
    expect(verified(secret, second)).toMatchObject({
      data: { audit_id: 2, action: "visits-ended", target: "7", by: "till" },
    });
    expect(receivers.ids).toEqual(["alert_audit_1", "alert_audit_2"]);
  }));
