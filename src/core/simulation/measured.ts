/**
 * What one visitor took where it was measured: bench/RESULTS.md, "Taking tickets" (bench/tickets.ts,
 * 2,000 visitors, 100 permits) and "A request with a live pass" (bench/pass.ts). A test holds these
 * against what stands there now: whoever changes the product's price changes it here.
 */
export const MEASURED = {
  by: "bench/tickets.ts",
  on: "2026-11-23",
  /** The page, the ticket and the socket; the claim and the visit's end; what it looks at inside. */
  requests: { joining: 3, entering: 2, inside: 3 },
  /** A socket in the lobby and a ticket; the lobby's part in claim and end; its batches to the Room. */
  objectCalls: { joining: 1.17, entering: 0.43, batches: 0.61, others: 0.03 },
  /** A permit is written when somebody enters; the Room's journal and what else there is, for both. */
  rows: { entering: 0.1, others: 0.54 },
  /** Of all of it together. */
  cpuMs: 3.63,
  /** Of a request with a live pass, and of a ticket. */
  requestCpuMs: { inside: 0.132, ticket: 0.239 },
} as const;
