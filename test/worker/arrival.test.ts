import { expect, test } from "vitest";
import { arrivalOf } from "../../src/worker/arrival.ts";
import type { Env } from "../../src/worker/env.ts";
import { platformPorts } from "../../src/worker/ports.ts";

const arrived = (headers: Record<string, string> = {}) => {
  const cf = { clientIp: "192.0.2.7:4711" } as unknown as CfProperties;
  const request = new Request("https://shop.example/orders/7?x=1", { method: "POST", headers, cf });
  return arrivalOf(platformPorts, request, { LOCAL: "1" } as Env, () => undefined);
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
