/** Between gate and origin: what HTTP/1.1 allows and the runtime takes amiss. */
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Connection } from "../support/connection.ts";
import type { RawAsk } from "../support/connection.ts";
import { eventually } from "../support/eventually.ts";
import { ask } from "../support/http.ts";
import { requestRoom } from "../support/requests.ts";
import { answer, chunk, CHUNKED, scriptedOrigin, soon } from "../support/scripted-origin.ts";
import type { Script, ScriptedOrigin } from "../support/scripted-origin.ts";
import { DOCUMENT } from "../support/visitor.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";

const GZIPPED = gzipSync("compressed, and not twice");
const interim =
  (lines: string): Script =>
  (socket, { method }) => {
    socket.write(`${lines}\r\n\r\n`);
    return soon(() => void socket.write(answer(`${method} is done`, ["X-Final: yes"])));
  };
/** The second request on a connection finds it closed, as after a keep-alive that ran out. */
const stale: Script = (socket, { before, method }) => {
  if (before === 0) socket.write(answer(`${method} on a new connection`));
  else socket.destroy();
};

let streaming = false;

const scripts: Record<string, Script> = {
  "early-hints": interim("HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload"),
  processing: interim("HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 102 Processing"),
  continue: interim("HTTP/1.1 100 Continue"),
  "hints-chunked": (socket) =>
    void socket.write(
      `HTTP/1.1 103 Early Hints\r\n\r\n${CHUNKED}${chunk("one ")}${chunk("two")}0\r\n\r\n`,
    ),
  "hints-head": (socket) => {
    socket.write("HTTP/1.1 103 Early Hints\r\n\r\n");
    return soon(
      () => void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 12\r\nX-Final: yes\r\n\r\n"),
    );
  },
  "hints-gzip": (socket) => {
    socket.write("HTTP/1.1 103 Early Hints\r\n\r\n");
    socket.write(
      `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${GZIPPED.length}\r\n\r\n`,
    );
    socket.write(GZIPPED);
  },
  "hints-broken": (socket) => {
    socket.write(`HTTP/1.1 103 Early Hints\r\n\r\n${CHUNKED}${chunk("half")}`);
    return soon(() => socket.destroy());
  },
  trailers: (socket) =>
    void socket.write(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n" +
        `${chunk("summed")}0\r\nX-Sum: 7\r\n\r\n`,
    ),
  between: (socket) => {
    socket.write(`${CHUNKED}${chunk("half")}`);
    return soon(() => socket.end());
  },
  within: (socket) => {
    socket.write(`${CHUNKED}8\r\nhalf`);
    return soon(() => socket.resetAndDestroy());
  },
  page: (socket) => {
    socket.write(`${CHUNKED.replace("\r\n\r\n", "\r\nContent-Type: text/html\r\n\r\n")}`);
    socket.write(chunk("half"));
    return soon(() => socket.end());
  },
  counted: (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf");
    return soon(() => socket.end());
  },
  whole: (socket) => {
    socket.write(`${CHUNKED}${chunk("half")}`);
    return soon(() => void socket.write(`${chunk("half")}0\r\n\r\n`));
  },
  pausing: (socket) => {
    socket.write(`${CHUNKED}${chunk("a,b")}`);
    setTimeout(() => socket.write(`${chunk("c,d")}0\r\n\r\n`), 1_600);
  },
  endless: (socket) => {
    streaming = true;
    socket.write(CHUNKED);
    const timer = setInterval(() => socket.write(chunk("x".repeat(1_000))), 20);
    socket.on("close", () => {
      clearInterval(timer);
      streaming = false;
    });
  },
  stale,
  deaf: (socket) => void socket.destroy(),
};

let seiriken: Seiriken;
let origin: ScriptedOrigin;
/** Of a visit to the room of visits. */
let pass: string;
beforeAll(async () => {
  origin = await scriptedOrigin(scripts);
  const visits = { name: "visits", host: "*", path: "/visits", total_active_users: 1_000 };
  const four = { total_active_users: 4 };
  const silent = { origin_timeout_seconds: 1, origin_silence_seconds: 1 };
  seiriken = await startSeiriken({
    runtime: "workerd",
    origin,
    rooms: [
      { ...visits, new_users_per_minute: 100_000 },
      requestRoom({ ...four, seiriken: { origin_timeout_seconds: 1 } }, "requests"),
      requestRoom({ ...four, seiriken: silent }, "silent"),
    ],
  });
  for (const place of ["visits", "elsewhere", "requests"]) await lockOrders(place);
  const entered = await ask(`${seiriken.url}/visits`, { headers: DOCUMENT });
  pass = entered.setCookies.map((line) => line.split(";")[0]).join("; ");
});
afterAll(async () => {
  await seiriken.stop();
  await origin.close();
});
beforeEach(() => origin.startAnew());

/** Orders below this place have one lock by their key. */
const lockOrders = async (place: string): Promise<void> => {
  const key = { from: "header", name: "Order-Key" };
  const rule = { name: `${place}-orders`, host: "*", path: `/${place}/orders`, methods: ["POST"] };
  const made = await ask(`${seiriken.url}/.seiriken/api/lock-rules`, {
    method: "POST",
    headers: { authorization: `Bearer ${seiriken.adminToken}` },
    body: JSON.stringify({ ...rule, key }),
  });
  if (made.status !== 201) throw new Error(made.text);
};

/** One request on a connection of its own, until its answer has ended in whatever way. */
const alone = async (path: string, more: RawAsk = {}): Promise<Connection> => {
  const connection = await Connection.ask(seiriken.url + path, more);
  await connection.until(() => connection.isWhole);
  return connection;
};

describe("answers before the answer", () => {
  const places = ["/visits", "/elsewhere", "/requests"];

  test.each(["early-hints", "processing", "continue"])(
    "[PROXY-5] %s is passed over: the answer that follows is the answer",
    async (act) => {
      const asks = places.flatMap((place) => [["GET", place] as const, ["POST", place] as const]);
      await Promise.all(
        asks.map(async ([method, place]) => {
          const got = await ask(`${seiriken.url}${place}/${act}`, { method, body: "x" });
          expect([got.status, got.text], `${method} ${place}`).toEqual([200, `${method} is done`]);
          expect(got.headers["x-final"]).toBe("yes");
        }),
      );
      expect(origin.heard).toHaveLength(6);
    },
  );

  test("[PROXY-12] a HEAD gets its own answer, and nobody else does", async () => {
    for (const place of places)
      for (let round = 0; round < 3; round += 1) {
        const head = await ask(`${seiriken.url}${place}/hints-head`, { method: "HEAD" });
        expect([head.status, head.headers["x-final"]]).toEqual([200, "yes"]);
        expect(head.headers["content-length"]).toBe("12");
        const next = await ask(`${seiriken.url}${place}/next`);
        expect([next.text, next.headers["x-final"]]).toEqual([`GET ${place}/next`, undefined]);
      }
  });

  test("[PROXY-5] in whatever form it comes", async () => {
    for (const place of places) {
      expect((await ask(`${seiriken.url}${place}/hints-chunked`)).text).toBe("one two");
      const packed = await ask(`${seiriken.url}${place}/hints-gzip`);
      expect(packed.headers["content-encoding"]).toBe("gzip");
      expect(gunzipSync(packed.body).toString()).toBe("compressed, and not twice");
    }
  });

  test("[PROXY-6] who expects a 100 is not waited for by the origin", async () => {
    const headers = { Expect: "100-continue", "Content-Length": "4" };
    const got = await alone("/visits/upload", { method: "POST", headers, body: "data" });
    expect(got.status).toBe(200);
    expect(origin.heard[0]?.head).not.toMatch(/expect/i);
    expect(origin.heard[0]?.body).toBe("data");
  });
});

describe("requests", () => {
  test.each(["/visits/search", "/elsewhere/search", "/requests/search"])(
    "[PROXY-7] a GET with a body arrives with it: %s",
    async (path) => {
      const chunked = { "Transfer-Encoding": "chunked" };
      const body = `${chunk("query")}0\r\n\r\n`;
      expect((await alone(path, { headers: chunked, body })).status).toBe(200);
      const counted = { "Content-Length": "5" };
      expect((await alone(path, { headers: counted, body: "query" })).status).toBe(200);
      expect(origin.heard.map((one) => one.body)).toEqual([body, "query"]);
    },
  );
});

describe("an answer that the origin breaks off", () => {
  test.each(["/visits", "/elsewhere", "/requests", "/silent"])(
    "[PROXY-8] is broken off for its client: %s",
    async (place) => {
      const acts = ["between", "within", "counted", "hints-broken"];
      await Promise.all(
        acts.map(async (act) => {
          const broken = await alone(`${place}/${act}`);
          expect(broken.text, act).toMatch(/half(?:\r\n)?$/);
          expect([broken.closedByServer, broken.isWhole], act).toEqual([true, false]);
        }),
      );
      expect((await alone(`${place}/whole`)).text).toMatch(/half\r\n4\r\nhalf\r\n0\r\n\r\n$/);
    },
  );

  test.each(["fin", "rst"] as const)(
    "[PROXY-8] and not one that its client breaks off, by %s",
    async (leaving) => {
      const told = () =>
        seiriken.events.filter(
          (event) => "message" in event && /answer-broken/.test(event.message),
        );
      const before = told().length;
      const left = await Connection.ask(`${seiriken.url}/elsewhere/endless`);
      await left.until(() => left.bytes > 1_000);
      left.leave(leaving);
      await eventually(() => origin.heard.length === 1 && !streaming);
      expect(told()).toHaveLength(before);
    },
  );

  test("[PROXY-8] in a visit: a page, and what may be long", async () => {
    const headers = { Cookie: pass };
    await Promise.all(
      ["between", "within", "counted", "hints-broken", "page"].map(async (act) => {
        const broken = await alone(`/visits/${act}`, { headers });
        expect(broken.text, act).toMatch(/admitted; room=visits/);
        expect(broken.text, act).toMatch(/half(?:\r\n)?$/);
        expect([broken.closedByServer, broken.isWhole], act).toEqual([true, false]);
      }),
    );
    const whole = await alone("/visits/whole", { headers });
    expect(whole.text).toMatch(/half\r\n4\r\nhalf\r\n0\r\n\r\n$/);
  });

  test.each(["visits", "elsewhere", "requests"])(
    "[PROXY-8] under a lock, below /%s: broken off where the origin did, else whole",
    async (place) => {
      const order = (act: string) => {
        const headers = { Cookie: pass, "Order-Key": act, "Content-Length": "0" };
        return alone(`/${place}/orders/${act}`, { method: "POST", headers });
      };
      await Promise.all(
        ["between", "page", "counted"].map(async (act) => {
          const broken = await order(act);
          expect(broken.text, act).toMatch(/half(?:\r\n)?$/);
          expect([broken.closedByServer, broken.isWhole], act).toEqual([true, false]);
        }),
      );
      expect((await order("whole")).text).toMatch(/half\r\n4\r\nhalf\r\n0\r\n\r\n$/);
    },
  );

  test("[HOLD-32] a pause beyond the timeout is none: the answer comes whole", async () => {
    const paused = await alone("/requests/pausing");
    expect(paused.text).toMatch(/a,b\r\n3\r\nc,d\r\n0\r\n\r\n$/);
  });

  test("[HOLD-32] beyond the room's own limit of silence it is broken off, and looks so", async () => {
    const silent = await alone("/silent/pausing");
    expect(silent.text).toMatch(/a,b\r\n$/);
    expect([silent.closedByServer, silent.isWhole]).toEqual([true, false]);
    expect((await alone("/silent/whole")).isWhole).toBe(true);
  });
});

describe("a connection that the origin has closed meanwhile", () => {
  test.each(["/visits", "/elsewhere", "/requests"])(
    "[PROXY-9] a request that changes nothing is asked once more: %s",
    async (place) => {
      for (let round = 0; round < 3; round += 1) {
        const got = await ask(`${seiriken.url}${place}/stale`);
        expect([got.status, got.text]).toEqual([200, "GET on a new connection"]);
      }
      // A new one, then twice a stale one and a new one.
      expect(origin.heard.length).toBeGreaterThanOrEqual(5);
    },
  );

  test("[PROXY-9] once, and not again", async () => {
    const got = await ask(`${seiriken.url}/visits/deaf`);
    expect([got.status, got.json().code]).toEqual([502, "origin-unreachable"]);
    expect(origin.heard).toHaveLength(2);
  });

  test.each(["/visits", "/elsewhere", "/requests", "/visits/orders"])(
    "[PROXY-10] another request is not, and its client is told what is known: %s",
    async (place) => {
      const key = { "order-key": `lost ${place}` };
      await ask(`${seiriken.url}${place}/plain`);
      const lost = await ask(`${seiriken.url}${place}/deaf`, {
        method: "POST",
        headers: key,
        body: "x",
      });
      expect([lost.status, lost.json().code]).toEqual([502, "origin-lost"]);
      expect(lost.json().detail).toContain("may or may not");
      expect(origin.heard.filter(({ method }) => method === "POST")).toHaveLength(1);
    },
  );

  test("[PROXY-11] trailers spoil nobody's next request that changes nothing", async () => {
    for (let round = 0; round < 3; round += 1) {
      expect((await ask(`${seiriken.url}/visits/trailers`)).text).toBe("summed");
      expect((await ask(`${seiriken.url}/visits/next`)).text).toBe("GET /visits/next");
    }
  });
});
