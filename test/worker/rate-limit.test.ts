import { expect, test } from "vitest";
import { limitText, policyText } from "../../src/worker/answers/rate-limit.ts";
import { RateHeaders } from "../../src/worker/admission/rate-headers.ts";
import { definition } from "../durable/objects.ts";
import type { RoomLimits } from "../../src/core/definition.ts";

const room = (limits: Partial<RoomLimits>, originRequestsPerSecondMax: number | null = null) => ({
  ...definition("a".repeat(32), limits),
  originRequestsPerSecondMax,
});
const headersOf = (answer: Response) => [
  answer.headers.get("RateLimit-Policy"),
  answer.headers.get("RateLimit"),
];

test("[RATE-1] policies and limits are lists of strings with parameters", () => {
  const quotas = [
    { name: "starts", quota: 50, windowSeconds: 1 },
    { name: "requests", quota: 200, windowSeconds: 1 },
  ];
  expect(policyText(quotas)).toBe('"starts";q=50;w=1, "requests";q=200;w=1');
  expect(limitText([{ name: "starts", left: 7, resetSeconds: 1 }])).toBe('"starts";r=7;t=1');
});

test.each([
  ["no limit", {}, null, null],
  ["starts of visits", { startsPerSecondMax: 5 }, null, '"starts";q=5;w=1'],
  ["both", { startsPerSecondMax: 5 }, 9, '"starts";q=5;w=1, "requests";q=9;w=1'],
  ["both, of requests", { permit: "request", startsPerSecondMax: 5 }, 3, '"starts";q=3;w=1'],
  ["one, of requests", { permit: "request" }, 3, '"starts";q=3;w=1'],
] as const)("[RATE-1] %s", (_, limits, perSecond, policy) => {
  const answer = new RateHeaders().writeTo(new Response(), room(limits, perSecond));
  expect(headersOf(answer)).toEqual([policy, null]);
});

test("[RATE-1] the origin's own limits stay", () => {
  const headers = { "RateLimit-Policy": '"theirs";q=1;w=60', RateLimit: '"theirs";r=0;t=9' };
  const told = new RateHeaders();
  told.told("starts", 4);
  const answer = told.writeTo(new Response("", { headers }), room({ startsPerSecondMax: 5 }));
  expect(headersOf(answer)).toEqual([
    '"theirs";q=1;w=60, "starts";q=5;w=1',
    '"theirs";r=0;t=9, "starts";r=4;t=1',
  ]);
});

test("[RATE-2] nothing is left before Retry-After", () => {
  const told = new RateHeaders();
  told.told("starts", 0);
  const answer = new Response("", { status: 503, headers: { "Retry-After": "17" } });
  told.writeTo(answer, room({ startsPerSecondMax: 5 }));
  expect(headersOf(answer)[1]).toBe('"starts";r=0;t=17');
});
