/** A process that takes one lock, says so, and keeps it until it dies: `server token namespace key`. */
import { Locks } from "../../src/client/locks.ts";

const [server = "", token = "", namespace = "", key = "", by = "socket"] = process.argv.slice(2);
const locks = new Locks({ server, token });
const lock = await locks.acquire(namespace, key, { by: by as "socket" | "lease" });
process.stdout.write(`${JSON.stringify({ event: "granted", fence: lock.fence })}\n`);
void lock.lost.then((reason) => {
  process.stdout.write(`${JSON.stringify({ event: "lost", reason: reason.message })}\n`);
});
setInterval(() => {
  process.stdout.write(`${JSON.stringify({ event: "held", isHeld: lock.isHeld })}\n`);
}, 250);
