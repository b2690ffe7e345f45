/**
 * What a busy Worker does to V8's heap: objects that outlive a collection of young ones and are then
 * forgotten. `node … old-objects.ts paced|unpaced`
 */
import { CollectionPacer } from "../../src/core/collection-pacer.ts";
import { oldObjects } from "../../src/worker/platform/old-objects.ts";

const REQUESTS = 60_000;
const OBJECTS_A_REQUEST = 20;
const REQUESTS_A_SECOND = 5_000;
const kept = Array.from<unknown>({ length: 40_000 });
let ms = 0;
const pacer = new CollectionPacer(() => ms, oldObjects());
const isPaced = process.argv[2] !== "unpaced";

// Parsed, because V8 learns to make objects old at once where a program makes them itself.
for (let request = 0; request < REQUESTS; request += 1) {
  for (let at = 0; at < OBJECTS_A_REQUEST; at += 1)
    kept[(request * OBJECTS_A_REQUEST + at) % kept.length] = JSON.parse(
      `{"n":${at},"of":{"is":0}}`,
    );
  ms += 1_000 / REQUESTS_A_SECOND;
  if (!isPaced) continue;
  pacer.requestCame();
  pacer.visitorCame();
}
