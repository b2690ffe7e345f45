import { expect, test } from "vitest";
import { Arrival } from "../../src/worker/arrival/arrival.ts";
import type { Env } from "../../src/worker/platform/env.ts";
import type { LogLine } from "../../src/worker/platform/log.ts";
import { platformPorts } from "../../src/worker/platform/ports.ts";

const arrived = (headers: Record<string, string> = {}) => {
  const cf = { clientIp: "192.0.2.7:4711" } as unknown as CfProperties;
  const request = new Request("https://shop.example/orders/7?x=1", { method: "POST", headers, cf });
  return new Arrival(platformPorts, request, { LOCAL: "1" } as Env, () => undefined);
};

test("[ORIGIN-12] a request that was made anew is still its client's, under the same reference", () => {
  const arrival = arrived();
  const again = arrival.with(new Request(arrival.request.url, { method: "POST", body: "read" }));
  expect(again.address).toBe("192.0.2.7");
  expect(again.reference).toBe(arrival.reference);
  expect(again.with(again.request).address).toBe("192.0.2.7");
  expect([again.host, again.url.href, again.readings, again.isHttps]).toEqual([
    arrival.host,
    arrival.url.href,
    arrival.readings,
    arrival.isHttps,
  ]);
  expect(again.request.body).not.toBeNull();
});

const from = (clientIp: string | null, headers: Record<string, string>, env: Partial<Env>) => {
  const cf = (clientIp === null ? {} : { clientIp }) as unknown as CfProperties;
  const request = new Request("https://shop.example/", { headers, cf });
  return new Arrival(
    { ...platformPorts, log: (line) => log.push(line) },
    request,
    env as Env,
    () => 0,
  );
};
const log: LogLine[] = [];

const CHAIN = "6.6.6.6, 192.0.2.1";
const HERE = { LOCAL: "1" };

test.each<[string, Partial<Env>, string]>([
  ["no setting", HERE, "10.0.0.1"],
  ["an empty one", { ...HERE, TRUSTED_PROXIES: "" }, "10.0.0.1"],
  ["one proxy", { ...HERE, TRUSTED_PROXIES: "1" }, "192.0.2.1"],
  ["its network", { ...HERE, TRUSTED_PROXIES: "10.0.0.0/8" }, "192.0.2.1"],
  ["another network", { ...HERE, TRUSTED_PROXIES: "172.16.0.0/12" }, "10.0.0.1"],
])("[TRUST-1] behind a proxy of one's own, with %s: %o is %s", (_, env, address) => {
  expect(from("10.0.0.1:4711", { "X-Forwarded-For": CHAIN }, env).address).toBe(address);
});

test("[TRUST-1] a setting that cannot be read trusts nobody, and is logged", () => {
  const env = { ...HERE, TRUSTED_PROXIES: "all" };
  expect(from("10.0.0.1", { "X-Forwarded-For": CHAIN }, env).address).toBe("10.0.0.1");
  expect(log).toMatchObject([{ level: "error", event: "trusted-proxies-unreadable" }]);
});

test("[TRUST-1] a room's own setting goes before the deployment's", () => {
  const arrival = from("10.0.0.1", { "X-Forwarded-For": CHAIN }, { ...HERE, TRUSTED_PROXIES: "1" });
  const seen = [{ trustedProxies: 0 }, { trustedProxies: 2 }, { trustedProxies: null }, {}, null];
  expect(seen.map((room) => arrival.clientOf(room).address)).toEqual([
    ...["10.0.0.1", "6.6.6.6", "192.0.2.1", "192.0.2.1", "192.0.2.1"],
  ]);
});

test.each<[string | undefined, string]>([
  [undefined, "10.0.0.1"],
  ["1", "192.0.2.1"],
  ["10.0.0.0/8", "192.0.2.1"],
])("[TRUST-5] on the edge, with %s, its own word on who is connected is %s", (trusted, address) => {
  const headers = { "CF-Connecting-IP": "10.0.0.1", "X-Forwarded-For": `${CHAIN}, 10.0.0.1` };
  const env = trusted === undefined ? {} : { TRUSTED_PROXIES: trusted };
  expect(from("203.0.113.9", headers, env).address).toBe(address);
});
