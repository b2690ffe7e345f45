/** A Worker and an object that tell each other apart: by a word of the isolate's, and by one that is stored. */
import { DurableObject } from "cloudflare:workers";

const isolate = globalThis as { word?: string };

export class Keeper extends DurableObject {
  /** What the object's isolate knows of the Worker, and how often it was asked in all its lives. */
  async ask(): Promise<{ word: string | null; asked: number }> {
    const asked = ((await this.ctx.storage.get<number>("asked")) ?? 0) + 1;
    await this.ctx.storage.put("asked", asked);
    return { word: isolate.word ?? null, asked };
  }
}

interface Bindings {
  readonly KEEPER: DurableObjectNamespace<Keeper>;
}

export default {
  async fetch(_request: Request, env: Bindings): Promise<Response> {
    isolate.word = "the Worker was here";
    return Response.json(await env.KEEPER.getByName("one").ask());
  },
};
