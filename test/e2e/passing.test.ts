import { request as httpRequest } from "node:http";
import type { ClientRequest, IncomingMessage } from "node:http";
import { once } from "node:events";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "../support/eventually.ts";
import { tallies } from "../support/history.ts";
import { ask } from "../support/http.ts";
import { claimVisit, PROGRAM, takeNumber, untilCalled, whereIs } from "../support/journey.ts";
import type { OriginHandler } from "../support/origin.ts";
import { roomOver, RUNTIMES, visitorInside } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";
import type { Visitor } from "../support/visitor.ts";

const ONE = { total_active_users: 1 };
const ROOMS = [
  roomOver("busy", ONE),
  ...["released", "delayed", "ended"].map((name) => roomOver(name, ONE)),
  roomOver("revoked", { ...ONE, enabled_origin_commands: ["revoke"] }),
];

describe.each(RUNTIMES)("on %s", (runtime) => {
  let seiriken: Seiriken;
  let holder: Visitor;

  beforeAll(async () => {
    seiriken = await startSeiriken({
      runtime,
      rooms: ROOMS,
      env: { ORIGIN_SECRET: "main:origin-secret" },
    });
    holder = await visitorInside(seiriken, "busy");
  });
  afterAll(() => seiriken.stop());
  beforeEach(() => {
    seiriken.origin.reset();
    seiriken.origin.handle();
  });

  /** A request of the holder's whose body is written bit by bit. */
  const openRequest = (path: string): ClientRequest => {
    const { hostname, port } = new URL(seiriken.url);
    const headers = { cookie: holder.cookieHeader(), "transfer-encoding": "chunked" };
    return httpRequest({ host: hostname, port, path, method: "POST", headers });
  };

  test("[WHOLE-14] bodies are streamed both ways: the first bytes pass before the last are there", async () => {
    const echo: OriginHandler = (_, response, request) => {
      response.writeHead(200, { "content-type": "application/octet-stream" });
      request.pipe(response);
    };
    seiriken.origin.handle(echo, { stream: true });
    const request = openRequest("/busy/echo");
    request.write("first");
    const [response] = (await once(request, "response")) as [IncomingMessage];
    const [first] = (await once(response, "data")) as [Buffer];
    expect(first.toString()).toBe("first");
    request.end("last");
    const rest: Buffer[] = [];
    for await (const chunk of response as AsyncIterable<Buffer>) rest.push(chunk);
    expect(Buffer.concat(rest).toString()).toBe("last");
  });

  test("[WHOLE-14] megabytes arrive as they were sent, both ways", async () => {
    const body = Buffer.alloc(4_000_000);
    for (let at = 0; at < body.length; at += 4) body.writeUInt32LE((at * 2_654_435_761) >>> 0, at);
    seiriken.origin.handle(({ body: sent }, response) => {
      response.writeHead(200, { "content-type": "application/octet-stream" }).end(sent);
    });
    const answer = await holder.ask("/busy/upload", { method: "PUT", body });
    expect(answer.body.equals(body)).toBe(true);
  });

  test("[WHOLE-15] a WebSocket passes with a live pass, and nobody without one", async () => {
    const url = `${seiriken.url.replace("http", "ws")}/busy/live`;
    const socket = new WebSocket(url, { headers: { cookie: holder.cookieHeader() } });
    await once(socket, "open");
    socket.send("hello");
    expect(String((await once(socket, "message"))[0])).toBe("hello");
    const bytes = Buffer.from([0, 255, 7]);
    socket.send(bytes);
    expect((await once(socket, "message"))[0]).toEqual(bytes);
    socket.close(4_000, "done");
    expect(await once(socket, "close")).toMatchObject([4_000, Buffer.from("done")]);
    await eventually(() => expect(seiriken.origin.socketsOpen).toBe(0));

    seiriken.origin.reset();
    const refused = new WebSocket(url);
    refused.on("error", () => undefined);
    const [, response] = (await once(refused, "unexpected-response")) as [unknown, IncomingMessage];
    expect(response.statusCode).toBe(503);
    expect(seiriken.origin.requests).toEqual([]);
    refused.terminate();
  });

  test("[WHOLE-16] redirects stay redirects, and name the visitor's host where they named the origin's", async () => {
    const locations: readonly (readonly [string, string])[] = [
      ["/busy/next?a=b#c", "/busy/next?a=b#c"],
      ["https://pay.example/x", "https://pay.example/x"],
      [`${seiriken.origin.url}/busy/next`, `${seiriken.url}/busy/next`],
    ];
    for (const [given, expected] of locations)
      for (const status of [301, 302, 303, 307, 308]) {
        seiriken.origin.handle((_, response) => {
          response.writeHead(status, { location: given }).end();
        });
        const answer = await holder.get("/busy/go");
        expect([answer.status, answer.headers.location]).toEqual([status, expected]);
      }
    expect(seiriken.origin.requests).toHaveLength(15);
  });

  test("[WHOLE-16] statuses, several cookies and other headers pass as they are", async () => {
    const cookies = ["a=1; Path=/; HttpOnly", "b=2; Expires=Wed, 21 Oct 2037 07:28:00 GMT", "c=3"];
    for (const status of [200, 201, 204, 206, 304, 400, 401, 404, 418, 500, 503]) {
      seiriken.origin.handle((_, response) => {
        response.writeHead(status, { "set-cookie": cookies, "x-shop": "yes", etag: '"v1"' }).end();
      });
      const answer = await holder.get("/busy/page");
      expect(answer.status).toBe(status);
      expect(answer.setCookies.filter((cookie) => !cookie.includes("seiriken"))).toEqual(cookies);
      expect(answer.headers).toMatchObject({ "x-shop": "yes", etag: '"v1"' });
    }
    ["a", "b", "c"].forEach((name) => holder.cookies.delete(name));
  });

  test("[WHOLE-17] the origin hears of room and visit from us alone, and of our cookies never", async () => {
    const forged = {
      cookie: `theirs=1; ${holder.cookieHeader()}; __Host-seiriken-pass-other=x; last=2`,
      "seiriken-room": "other",
      "seiriken-visit": "999",
      "seiriken-signature": "t=1, kid=main, v1=00",
      "seiriken-internal-ticket": "{}",
      "seiriken-pass": "nonsense",
      connection: "x-hop",
      "x-hop": "1",
    };
    const answer = await ask(`${seiriken.url}/busy/page`, { headers: forged });
    expect(answer.status).toBe(200);
    const [recorded] = seiriken.origin.requests;
    expect(recorded?.headers.cookie).toBe("theirs=1; last=2");
    expect(recorded?.headers).toMatchObject({ "seiriken-room": "busy", "seiriken-visit": "1" });
    expect(recorded?.headers["seiriken-signature"]).toMatch(/^t=\d+, kid=main, v1=[0-9a-f]{64}$/);
    expect(recorded?.headers["seiriken-signature"]).not.toContain("v1=00,");
    const names = Object.keys(recorded?.headers ?? {});
    expect(names.filter((name) => /internal|-pass|-ticket|x-hop/.test(name))).toEqual([]);
  });

  /** One is inside, one waits; the origin's answer to the one inside carries a header. */
  const oneInsideOneWaiting = async (room: string, command: Record<string, string>) => {
    const inside = await visitorInside(seiriken, room);
    const waiting = seiriken.visitor({ room });
    await takeNumber(waiting);
    seiriken.origin.handle((_, response) => {
      response.writeHead(200, command).end("thank you");
    });
    return { inside, waiting };
  };

  test.each([
    ["released", { "seiriken-command": "release" }],
    ["revoked", { "cf-waiting-room-command": "revoke" }],
  ])("[WHOLE-18] the origin ends a visit at once: %s", async (room, command) => {
    const { inside, waiting } = await oneInsideOneWaiting(room, command);
    const answer = await inside.ask(`/${room}/thanks`, { headers: PROGRAM });
    expect(answer.text).toBe("thank you");
    expect(Object.keys(answer.headers)).not.toContain(Object.keys(command)[0]);
    expect(inside.token("pass")).toBeNull();
    expect(await claimVisit(waiting)).toBe(2);
    expect(await tallies(seiriken, room)).toMatchObject({ finished: 1, entries_by_baton: 1 });
    expect((await inside.ask(`/${room}/again`, { headers: PROGRAM })).status).toBe(503);
  });

  test("[WHOLE-18] with `after` the visit goes on for so long, and no longer", async () => {
    const room = "delayed";
    const { inside, waiting } = await oneInsideOneWaiting(room, {
      "seiriken-command": "release; after=3",
    });
    await inside.ask(`/${room}/thanks`, { headers: PROGRAM });
    expect(inside.token("pass")).not.toBeNull();
    expect((await inside.ask(`/${room}/logo.svg`, { headers: PROGRAM })).status).toBe(200);
    expect(await whereIs(waiting)).toMatchObject({ state: "waiting" });
    await untilCalled(waiting);
    expect(await claimVisit(waiting)).toBe(2);
    await eventually(async () =>
      expect((await inside.ask(`/${room}/late`, { headers: PROGRAM })).status).toBe(503),
    );
    expect(await tallies(seiriken, room)).toMatchObject({ finished: 1, expired: 0, revoked: 0 });
  });

  test("[WHOLE-18] a server ends a visit over the API, and again without effect", async () => {
    const { inside, waiting } = await oneInsideOneWaiting("ended", {});
    const end = () =>
      ask(`${seiriken.url}/.seiriken/api/rooms/ended/visits/1`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${seiriken.adminToken}` },
      });
    expect((await end()).status).toBe(204);
    expect(await claimVisit(waiting)).toBe(2);
    expect((await end()).status).toBe(204);
    expect((await inside.ask("/ended/x", { headers: PROGRAM })).status).toBe(503);
    expect((await waiting.ask("/ended/x", { headers: PROGRAM })).status).toBe(200);
  });
});
