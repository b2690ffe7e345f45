/**
 * What one visitor took where it was measured: bench/RESULTS.md, "Taking tickets" (bench/tickets.ts) and "A request with a live pass" (bench/pass.ts). A test holds these
 * against what stands there now: whoever changes the product's price changes it here.
 */
export const MEASURED = {
  by: "bench/tickets.ts",
  on: "2026-11-23",
  /** All at once, through one lobby: what many do in one moment is one row. */
  crowd: { visitors: 2_000, permits: 100 },
  /** The page, the ticket and the socket; the claim and the visit's end; what it looks at inside. */
  requests: { joining: 3, entering: 2, inside: 3 },
  /** A socket in the lobby and a ticket; the lobby's part in claim and end; its batches to the Room. */
  objectCalls: { joining: 1.046, entering: 0.183, batches: 0.227, others: 0.017 },
  /** The Room's journal, for joining and entering alike; its tables, and what else there is. */
  rows: { journal: 0.227, others: 0.053 },
  /** Of all of it together. */
  cpuMs: 2.96,
  /** Of a request with a live pass, and of a ticket. */
  requestCpuMs: { inside: 0.121, ticket: 0.185 },
} as const;
