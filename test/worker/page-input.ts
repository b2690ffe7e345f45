import type { QueuePageInput } from "../../src/worker/page/index.ts";

/** A visitor in the middle of a line; each test says what is different. */
export const pageInput = (change: Partial<QueuePageInput> = {}): QueuePageInput => ({
  room: { name: "shop", id: "5".repeat(32) },
  appearance: { name: "Jazz Festival", accent: null, logo: null },
  languages: "en",
  mode: "queues",
  message: null,
  closed: null,
  ticket: {
    number: 1_248,
    state: "waiting",
    ahead: 42,
    eta: { known: true, seconds: 560, low: 480, high: 700 },
    claim_by: null,
    poll_after_seconds: 5,
  },
  to: "/tickets?day=2",
  formLost: false,
  refreshSeconds: 20,
  cookiesMissing: false,
  reference: "7F3K-2QXM",
  nonce: "bm9uY2U",
  returnWindowSeconds: 3_600,
  claimWithinSeconds: 60,
  sessionSeconds: 300,
  apiBase: "/.seiriken/rooms/shop",
  waiting: 80,
  visiting: 20,
  ...change,
});
