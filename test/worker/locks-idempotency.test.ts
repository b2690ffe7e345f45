import { expect, test } from "vitest";
import { GuardBench, heldAnswer } from "./locks-guard-harness.ts";
import { moment } from "../durable/moment.ts";

const rule = { idempotency: true };

test("[IDEM-2] the answer is replayed byte for byte, and says so", async () => {
  const bench = await GuardBench.with(rule);
  const bytes = Uint8Array.from({ length: 1_000 }, (_, i) => i % 256);
  bench.origin = () => {
    const headers = new Headers({ "Content-Type": "application/x-bytes", "X-Order": "17" });
    headers.append("Set-Cookie", "a=1");
    headers.append("Set-Cookie", "b=2");
    return new Response(bytes, { status: 201, headers });
  };
  const first = await bench.open("", { headers: { "Idempotency-Key": "k" } });
  expect(first.headers.get("Idempotent-Replayed")).toBeNull();
  expect(new Uint8Array(await first.arrayBuffer())).toEqual(bytes);
  const again = await bench.open("", { headers: { "Idempotency-Key": "k" } });
  expect([again.status, again.headers.get("Idempotent-Replayed")]).toEqual([201, "true"]);
  expect(new Uint8Array(await again.arrayBuffer())).toEqual(bytes);
  expect(again.headers.get("X-Order")).toBe("17");
  expect(bench.seen).toHaveLength(1);
});

test("[IDEM-17] cookies are for the first one alone: they are neither kept nor replayed", async () => {
  const bench = await GuardBench.with(rule);
  bench.origin = () => {
    const headers = new Headers({ "Set-Cookie": "sid=secret", "Set-Cookie2": "old=1" });
    headers.append("Set-Cookie", "b=2");
    return new Response("made", { status: 201, headers });
  };
  const first = await bench.keyed("k");
  expect(first.headers.getSetCookie().slice(0, 2)).toEqual(["sid=secret", "b=2"]);
  const again = await bench.keyed("k");
  expect([again.status, again.text]).toEqual([201, "made"]);
  // The harness, as the gate, adds one to each answer.
  expect(again.headers.getSetCookie()).toEqual(["__Host-seiriken-pass-shop=secret"]);
  expect(again.headers.get("Set-Cookie2")).toBeNull();
});

const named = { ...rule, session: { from: "cookie", name: "sid" } };
const keyHeader = { ...rule, session: { from: "header", name: "X-Tenant" } };
const ours = "__Host-seiriken-visitor-shop=1; __Host-seiriken-pass-shop=2";
test.each([
  ["another session", named, { Cookie: "sid=b" }],
  ["no session", named, {}],
  ["a session that is sent twice", named, { Cookie: "sid=a; sid=b" }],
  ["a session in another Cookie line", named, { Cookie: "x=1, sid=b" }],
  ["another session in the named header", keyHeader, { Cookie: "sid=a", "X-Tenant": "2" }],
  ["other cookies, where none is named", rule, { Cookie: "sid=b" }],
  ["one cookie more, where none is named", rule, { Cookie: "sid=a; x=1" }],
  ["no cookies, where none is named", rule, { Cookie: ours }],
  ["another API key", rule, { Cookie: "sid=a", "X-Api-Key": "b" }],
  ["another session token", rule, { Cookie: "sid=a", "X-Session-Token": "b" }],
  ["another user's id", rule, { Cookie: "sid=a", "X-Acme-User-Id": "b" }],
  ["another authorization", named, { Cookie: "sid=a", Authorization: "Bearer b" }],
])("[IDEM-17] %s does not get the first one's answer", async (_, with_, headers) => {
  const bench = await GuardBench.with(with_);
  const first = await bench.keyed("k", { headers: { Cookie: "sid=a", "X-Tenant": "1" } });
  expect(first.status).toBe(201);
  const other = await bench.keyed("k", { headers });
  expect(other).toMatchObject({ status: 422, code: "idempotency-mismatch" });
  expect(other.text).not.toContain("effect");
  expect(bench.seen).toHaveLength(1);
});

test("[IDEM-17] nor does who asks while the first one runs, or on another host", async () => {
  const bench = await GuardBench.with(named);
  const held = heldAnswer({ status: 201 });
  bench.origin = () => held.response;
  const sent = (sid: string) => ({ headers: { "Idempotency-Key": "k", Cookie: `sid=${sid}` } });
  const first = await bench.open("", sent("a"));
  expect(await bench.ask("", sent("b"))).toMatchObject({ status: 422 });
  void held.end();
  await first.text();
  expect(await bench.ask("", sent("a"), "other.example")).toMatchObject({ status: 422 });
  // As a room's host, it is compared without its port.
  for (const host of ["SHOP.example.", "shop.example:8443"])
    expect((await bench.ask("", sent("a"), host)).status).toBe(201);
  expect(bench.seen).toHaveLength(1);
});

test.each([
  ["other cookies, where one is named", named, "x=2; sid=a"],
  ["our own cookies, which change", rule, `sid=a; ${ours}`],
  ["the same cookies in another order", { ...rule, retention_seconds: 60 }, `${ours};y=2;  sid=a`],
])("[IDEM-17] %s: the same client's answer is replayed", async (_, with_, cookie) => {
  const bench = await GuardBench.with(with_);
  const first = cookie.includes("y=2") ? "sid=a; y=2" : "sid=a";
  await bench.keyed("k", { headers: { Cookie: first } });
  const again = await bench.keyed("k", { headers: { Cookie: cookie } });
  expect([again.status, again.headers.get("Idempotent-Replayed")]).toEqual([201, "true"]);
});

test("[IDEM-17] what guards a form against other sites tells no client apart", async () => {
  const bench = await GuardBench.with(rule);
  const sent = (token: string) => ({ Cookie: "sid=a", "X-CSRF-Token": token, "User-Agent": token });
  await bench.keyed("k", { headers: sent("one") });
  expect((await bench.keyed("k", { headers: sent("two") })).status).toBe(201);
  expect(bench.seen).toHaveLength(1);
});

test("[IDEM-11] what the gate gave the first visitor is nobody else's", async () => {
  const bench = await GuardBench.with(rule);
  await bench.keyed("k");
  const again = await bench.keyed("k");
  // The harness, as the gate, adds one to each answer; the kept one had none.
  expect(again.headers.getSetCookie()).toHaveLength(1);
});

test("[IDEM-1] while the first one runs, the second gets 409; with a wait, the same bytes", async () => {
  const bench = await GuardBench.with(rule);
  const held = heldAnswer({ status: 201 });
  bench.origin = () => held.response;
  const first = await bench.open("", { headers: { "Idempotency-Key": "k" } });
  expect(await bench.keyed("k")).toMatchObject({ status: 409, code: "lock-conflict" });
  void held.write("effect");
  void held.end();
  expect(await first.text()).toBe("effect");
  const patient = await GuardBench.with({ ...rule, wait_seconds: 10 });
  patient.origin = async (_, nth) => {
    await scheduler.wait(200);
    return new Response(`effect ${nth}`, { status: 201 });
  };
  const answers = await Promise.all(Array.from({ length: 5 }, () => patient.keyed("k")));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
    new Set(["201 effect 1"]),
  );
  expect(patient.seen).toHaveLength(1);
});

test.each([
  ["another body", { body: "b" }, ""],
  ["another path", { body: "a" }, "/other"],
  ["another query", { body: "a" }, "?x=1"],
  ["another method", { body: "a", method: "PUT" }, ""],
  ["another method by a header", { body: "a", headers: { "X-HTTP-Method-Override": "PUT" } }, ""],
  ["another type", { body: "a", headers: { "Content-Type": "text/html" } }, ""],
  ["another authorization", { body: "a", headers: { Authorization: "Bearer b" } }, ""],
])("[IDEM-3] %s under the same key: 422", async (_, init, to) => {
  const bench = await GuardBench.with(rule);
  const send = (more: RequestInit, path = "") =>
    bench.ask(path, {
      ...more,
      headers: {
        "Content-Type": "text/plain",
        ...(more.headers as object),
        "Idempotency-Key": "k",
      },
    });
  expect((await send({ body: "a" })).status).toBe(201);
  expect(await send(init, to)).toMatchObject({ status: 422, code: "idempotency-mismatch" });
  expect(await send({ body: "a" })).toMatchObject({ status: 201 });
  expect(bench.seen).toHaveLength(1);
});

test("[IDEM-12] without a key: 400", async () => {
  const bench = await GuardBench.with(rule);
  expect(await bench.ask()).toMatchObject({ status: 400, code: "lock-key-missing" });
  expect(bench.seen).toHaveLength(0);
});

test("[IDEM-12] the draft's quoted key and the bare one are the same", async () => {
  const bench = await GuardBench.with(rule);
  await bench.keyed('"8e03978e-40d5"');
  expect((await bench.keyed("8e03978e-40d5")).headers.get("Idempotent-Replayed")).toBe("true");
});

test.each([
  ['"a";v=1', '"a"'],
  ['"a\\\\b\\""', 'a\\b"'],
])("[IDEM-12] %s is the key of %s", async (spelled, same) => {
  const bench = await GuardBench.with(rule);
  await bench.keyed(spelled);
  expect((await bench.keyed(same)).headers.get("Idempotent-Replayed")).toBe("true");
});

test.each([['"a'], ['"a", "b"'], ['"a" b'], ['"a\\b"'], ['""']])(
  "[IDEM-12] %s is no key: 400, and nothing is done",
  async (spelled) => {
    const bench = await GuardBench.with(rule);
    expect(await bench.keyed(spelled)).toMatchObject({ status: 400 });
    expect(bench.seen).toHaveLength(0);
  },
);

test.each([
  ["breaks off", null],
  ["cannot be reached", "reject"],
])("[IDEM-4] an origin that %s: nobody knows, and it does not run again", async (_, how) => {
  const bench = await GuardBench.with(rule);
  const held = heldAnswer();
  bench.origin = () => (how === null ? held.response : Promise.reject(new Error("reset")));
  const first = await bench.open("", { headers: { "Idempotency-Key": "k" } });
  const reading = first.text().catch(() => null);
  void held.write("half").catch(() => null);
  await moment(20);
  void held.fail().catch(() => null);
  await reading;
  await bench.settled();
  bench.origin = () => new Response("again");
  for (let i = 0; i < 3; i += 1)
    expect(await bench.keyed("k")).toMatchObject({ status: 502, code: "outcome-unknown" });
  expect(bench.seen).toHaveLength(1);
});

test.each([
  [400, "kept"],
  [500, "kept"],
  [204, "kept"],
  [429, "forgotten"],
  [503, "forgotten"],
])("[IDEM-6] an answer of %i is %s", async (status, fate) => {
  const bench = await GuardBench.with(rule);
  bench.origin = (_, nth) => new Response(status === 204 ? null : `${nth}`, { status });
  await bench.keyed("k");
  const again = await bench.keyed("k");
  expect(again.status).toBe(status);
  expect(bench.seen).toHaveLength(fate === "kept" ? 1 : 2);
});

test("[IDEM-7] an answer too large to keep goes to the first one, and the second is told", async () => {
  const bench = await GuardBench.with(rule);
  bench.origin = () => new Response("x".repeat(600_000));
  expect((await bench.keyed("k")).text).toHaveLength(600_000);
  expect(await bench.keyed("k")).toMatchObject({ status: 409, code: "answer-not-kept" });
  expect(bench.seen).toHaveLength(1);
});

test("[IDEM-13] a client that goes away finds its answer when it comes back", async () => {
  const bench = await GuardBench.with(rule);
  const held = heldAnswer({ status: 201 });
  bench.origin = () => held.response;
  const stop = new AbortController();
  const gone = bench
    .open("", { headers: { "Idempotency-Key": "k" }, signal: stop.signal })
    .then((response) => response.body?.cancel())
    .catch(() => null);
  await moment(50);
  stop.abort();
  await gone;
  void held.write("effect");
  void held.end();
  await bench.settled();
  expect(await bench.keyed("k")).toMatchObject({ status: 201, text: "effect" });
  expect(bench.seen).toHaveLength(1);
});

test("[IDEM-14] what is kept is asked for uncompressed", async () => {
  const bench = await GuardBench.with(rule);
  await bench.keyed("k", { headers: { "Accept-Encoding": "gzip" } });
  expect(bench.seen[0]?.request.headers.get("Accept-Encoding")).toBe("identity");
});
