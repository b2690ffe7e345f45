/** A Worker that says what V8 still has of what it forgot, after so many requests with a permit. */
import { CollectionPacer } from "../../src/core/collection-pacer.ts";
import { oldObjects } from "../../src/worker/platform/old-objects.ts";

const OBJECTS = 100;
const pacer = new CollectionPacer(() => Date.now(), oldObjects());
const forgotten: WeakRef<object>[] = [];

export default {
  /** `/?requests=n`, by turns: forgets a hundred objects more, or lets n requests come and counts those still there. */
  async fetch(request: Request): Promise<Response> {
    const requests = Number(new URL(request.url).searchParams.get("requests"));
    if (requests === 0)
      for (let made = 0; made < OBJECTS; made += 1) forgotten.push(new WeakRef({ made }));
    for (let came = 0; came < requests; came += 1) {
      pacer.requestCame();
      pacer.visitorCame();
    }
    const kept = requests === 0 ? forgotten : forgotten.filter((ref) => ref.deref() !== undefined);
    return new Response(String(kept.length));
  },
};
