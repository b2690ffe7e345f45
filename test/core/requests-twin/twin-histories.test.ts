import fc from "fast-check";
import { test } from "vitest";
import { CORE } from "../../sim/core.ts";
import { agreement } from "./agreement.ts";
import { busyHistory, history, lentHistory, toldHistory } from "./histories.ts";

const numRuns = Number(process.env["REQUEST_HISTORIES"] ?? 300);

// Rules that hold of every step of a room of requests are shown here.
test("[REQUEST-16] [REQUEST-2] [REQUEST-5] [REQUEST-6] [REQUEST-7] a room of requests agrees with its plain twin", () => {
  fc.assert(agreement(CORE, history), { numRuns });
}, 120_000);

test("[REQUEST-16] [REQUEST-4] [REQUEST-14] [REQUEST-15] [SCHED-1] it agrees on every moment that it promises, however many it promised", () => {
  fc.assert(agreement(CORE, busyHistory), { numRuns });
}, 120_000);

test("[REQUEST-16] [LENT-1] [LENT-3] [LENT-4] [LENT-5] it agrees on every baton that a lobby passed by itself, and to whom it may", () => {
  fc.assert(agreement(CORE, lentHistory), { numRuns });
}, 120_000);

test("[REQUEST-16] [KEYED-5] it agrees on every turn that it tells those who leave", () => {
  fc.assert(agreement(CORE, toldHistory), { numRuns });
}, 120_000);
