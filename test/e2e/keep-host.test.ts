/** The visitor's host, heard by the origin: from the Worker by itself and behind another Worker. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { ask } from "../support/http.ts";
import { RUNTIMES } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";
import { DOCUMENT } from "../support/visitor.ts";

const kept = { host: "kept.example", new_users_per_minute: 100_000, total_active_users: 1_000 };
const rooms = [
  { ...kept, name: "kept", path: "/kept", seiriken: { keep_host: true } },
  { ...kept, name: "own", host: "own.example", path: "/own" },
];

describe.each(RUNTIMES)("on %s", (runtime) => {
  let seiriken: Seiriken;
  beforeAll(async () => {
    seiriken = await startSeiriken({ runtime, rooms });
  });
  afterAll(() => seiriken.stop());

  const heardAs = async (host: string, path: string): Promise<string | undefined> => {
    seiriken.origin.reset();
    expect((await ask(`${seiriken.url}${path}`, { headers: { host } })).status).toBe(200);
    return seiriken.origin.requests[0]?.headers.host;
  };

  test("[ORIGIN-19] the origin hears the visitor's host, with its port, on every path of that host", async () => {
    expect(await heardAs("kept.example", "/kept/page")).toBe("kept.example");
    expect(await heardAs("kept.example:8443", "/kept/page")).toBe("kept.example:8443");
    expect(await heardAs("kept.example", "/elsewhere")).toBe("kept.example");
  });

  test("[ORIGIN-19] its own one where nobody asked for that", async () => {
    const own = new URL(seiriken.origin.url).host;
    expect(await heardAs("own.example", "/own/page")).toBe(own);
    expect(await heardAs("own.example", "/elsewhere")).toBe(own);
  });

  test("[ORIGIN-19] bodies, redirects and sockets pass as ever", async () => {
    const headers = { host: "kept.example" };
    seiriken.origin.handle(({ headers: { host }, body }, response) => {
      response.writeHead(302, { location: `http://${host}/kept/${body.toString()}` }).end();
    });
    const moved = await ask(`${seiriken.url}/kept/x`, { method: "POST", headers, body: "there" });
    expect([moved.status, moved.headers.location]).toEqual([302, "http://kept.example/kept/there"]);
    seiriken.origin.handle();
    const entered = await ask(`${seiriken.url}/kept`, { headers: { ...headers, ...DOCUMENT } });
    const cookie = entered.setCookies.map((line) => line.split(";")[0]).join("; ");
    const socket = new WebSocket(`${seiriken.url.replace("http", "ws")}/kept/socket`, {
      headers: { ...headers, cookie },
    });
    const echoed = new Promise((resolve, reject) => {
      socket.once("message", (data: Buffer) => resolve(data.toString()));
      socket.once("error", reject);
    });
    socket.once("open", () => socket.send("hello"));
    expect(await echoed).toBe("hello");
    expect(seiriken.origin.requests.at(-1)?.headers.host).toBe("kept.example");
    socket.close();
  });

  test("[ORIGIN-20] the management API says where it cannot be had", async () => {
    const notes = async (origin: string | null) => {
      const change = { seiriken: { keep_host: true, origin } };
      const answer = await seiriken.manage("PATCH", "/waiting_rooms/kept", change);
      return answer.json().messages.map(({ code }: { code: number }) => code);
    };
    expect(await notes("http://127.0.0.1:9")).toEqual([48101]);
    expect(await notes(null)).toEqual([]);
  });
});
