import { parseArgs } from "node:util";

const ANSWER_WITHIN_MS = 3_000;

/** A room of this name need not be there: that Seiriken says so is what is asked for. */
const PROBE = "/.seiriken/rooms/health";

const { values } = parseArgs({
  options: { server: { type: "string", default: "http://127.0.0.1:8787" } },
});

/** Exit code 0: it answers and knows its rooms; 1: it does not. For a container's health check. */
const status = await fetch(new URL(PROBE, values.server), {
  signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
}).then(
  (answer) => answer.status,
  () => 0,
);
process.exitCode = status === 404 || status === 200 ? 0 : 1;
