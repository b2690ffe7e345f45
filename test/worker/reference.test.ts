import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import type { VisitorId } from "../../src/core/ids.ts";
import { after } from "../../src/core/time.ts";
import { referenceOf, underReference } from "../../src/core/reference.ts";
import { randomReference } from "../../src/worker/platform/reference.ts";
import { cookieFor, DOCUMENT, JSON_APP, VISITOR, World } from "./fakes.ts";

const REFERENCE = /^[2-9A-HJ-NP-Z]{8}$/;
const OWN_PAGE = { Origin: "https://shop.example", "Sec-Fetch-Site": "same-origin" };
const API = "/.seiriken/rooms/shop";

const visitors = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => Buffer.from(bytes).toString("base64url") as VisitorId);

describe("how it is made", () => {
  test("[REF-1] [REF-2] of a visitor id, always the same, of eight letters that nobody mishears", () => {
    fc.assert(
      fc.property(visitors, (visitor) => {
        expect(referenceOf(visitor)).toMatch(REFERENCE);
        expect(referenceOf(visitor)).toBe(referenceOf(visitor));
      }),
    );
  });

  test("[REF-2] it tells the first 40 bits, and of the other 88 nothing", () => {
    fc.assert(
      fc.property(visitors, visitors, (one, other) => {
        const [head, tail] = [Buffer.from(one, "base64url"), Buffer.from(other, "base64url")];
        const mixed = Buffer.concat([head.subarray(0, 5), tail.subarray(5)]).toString("base64url");
        expect(referenceOf(mixed as VisitorId)).toBe(referenceOf(one));
        if (!head.subarray(0, 5).equals(tail.subarray(0, 5)))
          expect(referenceOf(other)).not.toBe(referenceOf(one));
      }),
    );
  });

  test("[REF-3] a new visitor id under an old reference keeps its other bits", () => {
    fc.assert(
      fc.property(visitors, visitors, (former, fresh) => {
        const id = underReference(referenceOf(former), fresh);
        expect(referenceOf(id)).toBe(referenceOf(former));
        const [ours, theirs] = [Buffer.from(id, "base64url"), Buffer.from(fresh, "base64url")];
        expect(ours.subarray(5).equals(theirs.subarray(5))).toBe(true);
        expect(Buffer.from(id, "base64url").toString("base64url")).toBe(id);
      }),
    );
  });

  test("[REF-4] without a visitor it is random, of the same letters", () => {
    const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));
    const ports = { randomBytes } as Parameters<typeof randomReference>[0];
    const several = new Set(Array.from({ length: 20 }, () => randomReference(ports)));
    expect(several.size).toBe(20);
    for (const reference of several) expect(reference).toMatch(REFERENCE);
  });
});

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Keeps cookies as a browser does. */
class Browser {
  readonly #jar = new Map<string, string>();
  readonly #world: World;
  readonly told: string[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  async ask(path: string, init: Asked = {}) {
    const Cookie = [...this.#jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...DOCUMENT, ...init.headers, ...(Cookie === "" ? {} : { Cookie }) };
    const answer = await this.#world.fetch(path, { ...init, headers });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const equals = pair.indexOf("=");
      if (/Max-Age=0/.test(line)) this.#jar.delete(pair.slice(0, equals));
      else this.#jar.set(pair.slice(0, equals), pair.slice(equals + 1));
    }
    const reference = answer.headers.get("Seiriken-Reference");
    if (reference !== null) this.told.push(reference);
    return answer;
  }
}

let world: World;
let browser: Browser;
beforeEach(() => {
  world = new World();
  world.say({ mode: "queues" });
  browser = new Browser(world);
});

const api = (method: string) => ({ method, headers: { ...JSON_APP, ...OWN_PAGE } });

/** As it stands on the stub of the ticket, or wherever the page has it. */
const shownIn = async (answer: Response): Promise<string | undefined> =>
  /[2-9A-HJ-NP-Z]{8}(?=<)/.exec((await answer.text()).replace(/<script.*?<\/script>/gs, ""))?.[0];

describe("one visitor, one reference", () => {
  test("[REF-1] [REF-5] from the first page to the visit's last error, and in every line of the log", async () => {
    const first = await browser.ask("/tickets");
    const reference = first.headers.get("Seiriken-Reference") ?? "";
    expect(reference).toMatch(REFERENCE);
    expect(await shownIn(first)).toBe(reference);
    await browser.ask(`${API}/tickets`, api("POST"));
    await browser.ask(`${API}/tickets/mine`, api("GET"));
    expect(await shownIn(await browser.ask("/tickets"))).toBe(reference);
    await browser.ask(`${API}/wait?to=/tickets/2`);
    world.callNumber(42);
    await browser.ask(`${API}/visits`, api("POST"));
    world.origin = () => Promise.reject(new Error("connection refused"));
    const lost = await browser.ask("/tickets");
    expect([lost.status, await shownIn(lost)]).toEqual([502, reference]);
    await browser.ask(`${API}/visits/mine`, api("DELETE"));
    expect(new Set(browser.told)).toEqual(new Set([reference]));
    expect(new Set(world.log.map((line) => line.reference))).toEqual(new Set([reference]));
    const steps = world.log.filter(({ level }) => level === "info").map(({ event }) => event);
    expect(steps).toEqual(["ticket-taken", "visit-began", "visit-finished"]);
    expect(world.log.map(({ event }) => event)).toContain("origin-unreachable");
  });

  test("[REF-1] two visitors have two", async () => {
    await browser.ask("/tickets");
    const other = new Browser(world);
    await other.ask("/tickets");
    expect(other.told).not.toEqual(browser.told);
  });

  test("[REF-3] in at an open door without a visitor id: the pass carries it, also into the line", async () => {
    world.say({ mode: "open" });
    await browser.ask("/tickets");
    const began = world.log.find(({ event }) => event === "visit-began")?.reference;
    expect(began).toMatch(REFERENCE);
    world.origin = () => Promise.reject(new Error("connection refused"));
    expect((await browser.ask("/tickets")).headers.get("Seiriken-Reference")).toBe(began);
    world.lobby.renew = async () => ({ kind: "ended" });
    await world.advance(400_000);
    world.say({ mode: "queues", at: world.now });
    const page = await browser.ask("/tickets");
    expect(page.headers.get("Seiriken-Status")).toBe("queued; room=shop");
    await browser.ask(`${API}/tickets`, api("POST"));
    expect(new Set(browser.told)).toEqual(new Set([began]));
    expect(world.log.filter(({ reference }) => reference === began).map((l) => l.event)).toEqual(
      expect.arrayContaining(["visit-began", "visit-over"]),
    );
  });

  test("[REF-3] a client that has nothing but its pass is still told by it", async () => {
    world.origin = () => Promise.reject(new Error("connection refused"));
    const mintedAt = after(world.now, -1_000);
    const pass = await world.passToken({ mintedAt, reference: "WXYZ6789" });
    const answer = await world.fetch("/tickets", { headers: { "Seiriken-Pass": pass } });
    expect(answer.headers.get("Seiriken-Reference")).toBe("WXYZ6789");
    expect(await answer.json()).toMatchObject({
      code: "origin-unreachable",
      reference: "WXYZ6789",
    });
  });

  test("[REF-1] giving up a place is told under it", async () => {
    const Cookie = cookieFor("ticket", await world.ticketToken());
    const headers = { ...OWN_PAGE, Cookie };
    await world.fetch(`${API}/tickets/mine`, { method: "DELETE", headers });
    expect(world.log).toEqual([
      {
        level: "info",
        event: "place-left",
        reference: referenceOf(VISITOR),
        room: "shop",
        number: 42,
      },
    ]);
  });

  test("[REF-4] who is unknown, and no visitor of ours, has another each time", async () => {
    const headers = { "Sec-Fetch-Dest": "image" };
    const told = [1, 2].map(async () =>
      (await world.fetch("/tickets", { headers })).headers.get("Seiriken-Reference"),
    );
    const [one, other] = await Promise.all(told);
    expect(one).not.toBe(other);
  });
});
