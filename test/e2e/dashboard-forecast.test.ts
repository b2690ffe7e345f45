import { WebSocket } from "ws";
import { expect, test } from "vitest";
import { forecastCourse } from "../../src/core/forecast/forecast.ts";
import { LIVE_PROTOCOL, type LiveMessage } from "../../src/core/live/message.ts";
import { browserStage } from "../support/browser-stage.ts";
import { openDashboard } from "../support/dashboard-visit.ts";
import { eventually } from "../support/eventually.ts";
import { goThrough } from "../support/journey.ts";
import { roomOver } from "../support/rooms.ts";

const ROOM = "foretold";
const VISITORS = 320;
/** Long enough that the test's own delays are a small part of a visit. */
const STAY_MS = 2_000;
const [FEW, MANY] = [4, 16];
const AHEAD_MS = 20_000;
/** Messages come by the second, and the limit changed up to two after the forecast was made. */
const LATE_MS = 3_000;

const stage = browserStage({ rooms: [roomOver(ROOM, { total_active_users: FEW })] });

/** All that a watcher is sent, in order. */
const watch = async (): Promise<{ heard: LiveMessage[]; close: () => void }> => {
  const { id } = (await stage.seiriken.manage("GET", `/waiting_rooms/${ROOM}`)).json().result;
  const socket = new WebSocket(
    `${stage.seiriken.url.replace(/^http/, "ws")}/.seiriken/api/rooms/${id}/live`,
    LIVE_PROTOCOL,
    { headers: { authorization: `Bearer ${stage.seiriken.adminToken}` } },
  );
  const heard: LiveMessage[] = [];
  socket.on("message", (data: Buffer) => {
    const message = JSON.parse(data.toString());
    if (message.type === "live") heard.push(message);
  });
  await eventually(() => heard.length > 0);
  return { heard, close: () => socket.close() };
};

test("[DASH-8] [FORECAST-1] a limit is changed on the dashboard, and the line goes as the forecast of that change said", async () => {
  const journeys = Array.from({ length: VISITORS }, () =>
    goThrough(stage.seiriken.visitor({ room: ROOM }), {
      path: `/${ROOM}`,
      stayMs: STAY_MS,
      within: 150_000,
    }).catch(() => null),
  );
  const { heard, close } = await watch();
  const latest = (): LiveMessage => {
    const message = heard.at(-1);
    if (message === undefined) throw new Error("nothing was heard");
    return message;
  };
  // Some visits, from which the room learns how long they last.
  await eventually(() => latest().issued >= VISITORS && latest().waiting <= VISITORS - 24, {
    within: 60_000,
  });

  await using here = await openDashboard(stage);
  const { page } = here;
  await here.signIn();
  await page.getByRole("link", { name: ROOM }).click();
  await page.getByLabel("On the site").fill(String(MANY));
  await page.getByRole("button", { name: "Change the limits" }).click();
  await page.getByText(/^In 30 min: /).waitFor();
  const before = latest();
  await page.getByRole("dialog").getByRole("button", { name: "Change the limits" }).click();

  const asked = { horizonMs: AHEAD_MS, points: 4, assume: { arrivalsPerMinute: 0 } };
  const foretold = [...forecastCourse(before.outset, { ...asked, change: { permitsMax: MANY } })];
  const unchanged = [...forecastCourse(before.outset, asked)];
  const lastAt = Math.max(...foretold.map(({ at }) => at));
  await eventually(() => Date.parse(latest().at) >= lastAt, { within: AHEAD_MS + 30_000 });
  for (const point of foretold) {
    const now = heard.find(({ at }) => Date.parse(at) >= point.at)?.waiting ?? -1;
    const slack = (MANY * LATE_MS) / STAY_MS;
    expect(now).toBeGreaterThanOrEqual(point.waiting.low - slack);
    expect(now).toBeLessThanOrEqual(point.waiting.high + slack);
  }
  // And it would not have gone so by itself.
  expect(latest().waiting).toBeLessThan((unchanged.at(-1)?.waiting.low ?? 0) - 20);
  close();
  await stage.change(ROOM, { total_active_users: VISITORS });
  expect((await Promise.all(journeys)).filter((journey) => journey === null)).toEqual([]);
});
