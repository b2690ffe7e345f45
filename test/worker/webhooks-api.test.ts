import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { hex } from "../../src/core/hex.ts";
import { instant } from "../../src/core/time.ts";
import { hashOfToken } from "../../src/worker/isolate/known-tokens.ts";
import { webhooksApp } from "../../src/worker/operators/webhooks.ts";
import {
  ADMIN_TOKEN,
  envOn,
  mounted,
  withRegistry,
  type RegistryBench,
} from "../durable/registry-harness.ts";
import { HERE, Receivers } from "../durable/webhooks-harness.ts";

let receivers: Receivers;

beforeEach(() => {
  receivers = new Receivers();
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const KEY = `srk_${"r".repeat(43)}`;
const TOKEN = {
  id: "2".repeat(32),
  name: "reader",
  scope: "read",
  rooms: null,
  expiresAt: null,
  madeAt: instant(0),
  madeBy: "ADMIN_TOKEN",
} as const;

type Json = Record<string, unknown>;

const apiOn = (bench: RegistryBench) => {
  const lines: Json[] = [];
  const app = mounted(webhooksApp, (line) => lines.push(line as unknown as Json));
  const call = async (method: string, path: string, body?: unknown, headers: object = {}) => {
    const answer = await app.request(
      `http://here${path}`,
      {
        method,
        headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
      envOn(bench),
    );
    const json = (
      answer.status === 204 || answer.status === 304 ? null : await answer.json()
    ) as Json;
    return { status: answer.status, json, headers: answer.headers };
  };
  return { call, lines };
};

const INPUT = { name: "duty", url: `${HERE}?channel=ops` };

test("[WEBHOOK-2] [WEBHOOK-11] a webhook's whole life", () =>
  withRegistry("hooks-api", async (bench) => {
    const { call, lines } = apiOn(bench);
    const made = await call("POST", "/", INPUT);
    expect(made.status).toBe(201);
    const { secret, ...webhook } = made.json;
    const id = String(webhook["id"]);
    expect(made.headers.get("Location")).toBe(`/.seiriken/api/webhooks/${id}`);
    expect(webhook).toMatchObject({
      ...INPUT,
      types: null,
      rooms: null,
      enabled: true,
      dropped: 0,
    });
    expect((await call("GET", "/")).json).toEqual({ webhooks: [webhook] });
    const read = await call("GET", `/${id}`);
    expect(read.json).toEqual(webhook);
    const etag = read.headers.get("ETag") ?? "";
    expect((await call("GET", `/${id}`, undefined, { "If-None-Match": etag })).status).toBe(304);

    const changed = await call("PATCH", `/${id}`, { types: ["line.began"] }, { "If-Match": etag });
    expect([changed.status, changed.json["types"], changed.json["name"]]).toEqual([
      200,
      ["line.began"],
      "duty",
    ]);
    for (const tag of [etag, '"nonsense"']) {
      const late = await call("PATCH", `/${id}`, { name: "late" }, { "If-Match": tag });
      expect([late.status, late.json["code"]]).toEqual([412, "webhook-changed"]);
    }
    expect((await call("PATCH", `/${id}`, { types: null })).json["types"]).toBeNull();

    const rotated = await call("POST", `/${id}/secret`);
    expect(rotated.json["secret"]).toMatch(/^whsec_/);
    expect(rotated.json["secret"]).not.toBe(secret);
    receivers.answer(202, {}, INPUT.url);
    expect((await call("POST", `/${id}/test`)).json).toMatchObject({ status: 202, problem: null });
    const { deliveries } = (await call("GET", `/${id}/deliveries?limit=1`)).json;
    expect(deliveries).toMatchObject([
      { id: "alert_audit_4", type: "settings.changed", state: "delivered", tries: 1 },
    ]);
    expect((await call("DELETE", `/${id}`)).status).toBe(204);
    for (const [method, path] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/test"],
      ["POST", "/secret"],
      ["GET", "/deliveries"],
    ] as const) {
      const body = method === "PATCH" ? {} : undefined;
      const gone = await call(method, `/${id}${path}`, body);
      expect([method, path, gone.status, gone.json["code"]]).toEqual([
        method,
        path,
        404,
        "webhook-not-found",
      ]);
    }
    const told = JSON.stringify(lines);
    expect(told).toContain("webhook-secret-rotated");
    for (const hidden of ["channel=ops", "whsec_", "/alerts?"]) expect(told).not.toContain(hidden);
  }));

describe("what is refused", () => {
  test.each([
    "http://receiver.example.com/",
    "ftp://receiver.example.com/",
    "https://user@receiver.example.com/",
    "https://:secret@receiver.example.com/",
    "https://receiver.example.com/#",
    "https://receiver.example.com/#part",
    "http://localhost.example.com/",
    "http://127.0.0.1.example.com/",
    "http://0.0.0.0/",
    "receiver.example.com",
    "",
    `https://receiver.example.com/${"x".repeat(2_000)}`,
    7,
  ])("[WEBHOOK-1] the URL %s", (url) =>
    withRegistry("hooks-urls", async (bench) => {
      const { json, status } = await apiOn(bench).call("POST", "/", { ...INPUT, url });
      expect([status, json["code"]]).toEqual([400, "webhook-invalid"]);
      expect((json["errors"] as Json[]).map(({ pointer }) => pointer)).toEqual(["/url"]);
    }),
  );

  test.each([
    "http://localhost:9/",
    "http://127.0.0.1:9/a?b",
    "http://[::1]/",
    "HTTPS://A.example",
  ])("[WEBHOOK-1] but not %s", (url) =>
    withRegistry(`hooks-url-${url.length}`, async (bench) => {
      expect((await apiOn(bench).call("POST", "/", { ...INPUT, url })).status).toBe(201);
    }),
  );

  test("[WEBHOOK-1] every problem is reported at once", () =>
    withRegistry("hooks-problems", async (bench) => {
      const { call } = apiOn(bench);
      const wrong = { name: "", types: ["webhook.test"], rooms: [], enabled: 1, colour: "red" };
      const { json } = await call("POST", "/", wrong);
      const wrongs = (json["errors"] as Json[]).map(({ pointer }) => String(pointer));
      expect(wrongs.toSorted()).toEqual([
        "/colour",
        "/enabled",
        "/name",
        "/rooms",
        "/types/0",
        "/url",
      ]);
      expect((await call("GET", "/")).json).toEqual({ webhooks: [] });
      expect((await call("GET", "/x/deliveries?limit=0")).json["code"]).toBe("query-invalid");
    }));

  test("[WEBHOOK-11] who may only look sees whose a URL is, and changes nothing", () =>
    withRegistry("hooks-reader", async (bench) => {
      const { call } = apiOn(bench);
      const id = String((await call("POST", "/", INPUT)).json["id"]);
      const by = {
        id: "1".repeat(32),
        name: "ADMIN_TOKEN",
        rooms: null,
        network: null,
        reference: "A",
      };
      const token = { ...TOKEN, hash: hex(await hashOfToken(KEY)) };
      expect((await bench.registry.makeToken(token, by)).ok).toBe(true);
      const headers = { Authorization: `Bearer ${KEY}` };
      const read = await call("GET", `/${id}`, undefined, headers);
      expect([read.status, read.json["url"]]).toEqual([200, "https://receiver.example.com/…"]);
      expect(JSON.stringify((await call("GET", "/", undefined, headers)).json)).not.toContain(
        "ops",
      );
      for (const [method, path] of [
        ["POST", "/"],
        ["PATCH", `/${id}`],
        ["DELETE", `/${id}`],
        ["POST", `/${id}/test`],
        ["POST", `/${id}/secret`],
      ] as const) {
        const body = method === "PATCH" || path === "/" ? INPUT : undefined;
        const refused = await call(method, path, body, headers);
        expect([method, path, refused.status, refused.json["code"]]).toEqual([
          method,
          path,
          403,
          "scope-missing",
        ]);
      }
    }));

  test("[WEBHOOK-11] who is not signed in learns nothing", () =>
    withRegistry("hooks-stranger", async (bench) => {
      const { call } = apiOn(bench);
      const { json } = await call("POST", "/", INPUT);
      for (const [method, path] of [
        ["GET", "/"],
        ["POST", "/"],
        ["GET", `/${String(json["id"])}`],
        ["POST", `/${String(json["id"])}/test`],
        ["POST", `/${String(json["id"])}/secret`],
      ] as const) {
        const body = method === "POST" ? INPUT : undefined;
        const refused = await call(method, path, body, { Authorization: "Bearer wrong" });
        expect([method, path, refused.status]).toEqual([method, path, 401]);
      }
      expect(receivers.received).toEqual([]);
    }));
});
