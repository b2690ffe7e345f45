/** Takes the pictures of the dashboard in docs/images from a room with a crowd: `node scripts/screenshots-dashboard.ts`. */
import { mkdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openBrowser } from "../test/support/browser.ts";
import { startSeiriken } from "../test/support/seiriken.ts";
import { Visitor } from "../test/support/visitor.ts";

const FOLDER = "docs/images";
/** Until the plots have something to show, and the waits are known. */
const WATCHED_MS = 75_000;
const FIRST_COME = 60;
const COME_EVERY_MS = 450;
const STAY_MS = 2_500;

const room = {
  name: "tickets",
  host: "*",
  path: "/tickets",
  total_active_users: 8,
  new_users_per_minute: 180,
  session_duration: 5,
  seiriken: { starts_per_second: 5, message: "Doors are open until nine." },
};

const SHOTS = [
  { name: "dashboard-light", scheme: "light" },
  { name: "dashboard-dark", scheme: "dark" },
] as const;

const server = await startSeiriken({ rooms: [room] });
const browser = await openBrowser();
const ended = new AbortController();

/** Waits for the turn, stays a while, and leaves. */
const visitOnce = async (): Promise<void> => {
  const visitor = new Visitor(server.url, { room: room.name });
  await visitor.get(room.path);
  await visitor.take();
  await visitor.take();
  const socket = await visitor.socket();
  await socket.first("called", { within: WATCHED_MS * 2 });
  if (ended.signal.aborted) return;
  await visitor.claim();
  socket.close();
  await sleep(STAY_MS);
  await visitor.release();
};

/** Who is still there at the end is cut off, and that is no failure. */
const come = (): void => void visitOnce().catch(() => undefined);

const crowd = async (): Promise<void> => {
  for (let first = 0; first < FIRST_COME; first += 1) come();
  while (!ended.signal.aborted) {
    come();
    await sleep(COME_EVERY_MS);
  }
};

const shoot = async ({ name, scheme }: (typeof SHOTS)[number]): Promise<void> => {
  const context = await browser.newContext({
    viewport: { width: 1_440, height: 900 },
    colorScheme: scheme,
    timezoneId: "Europe/Berlin",
  });
  const page = await context.newPage();
  await page.goto(`${server.url}/.seiriken/dashboard#/rooms/${room.name}`);
  await page.getByLabel("Token").fill(server.adminToken);
  await page.keyboard.press("Enter");
  await page.getByText("Live", { exact: true }).waitFor();
  await sleep(WATCHED_MS);
  await page.getByLabel("On the site").fill("14");
  await sleep(4_000);
  await page.screenshot({ path: `${FOLDER}/${name}.png` });
  console.log(`${FOLDER}/${name}.png`);
  await context.close();
};

try {
  mkdirSync(FOLDER, { recursive: true });
  const coming = crowd();
  await Promise.all(SHOTS.map(shoot));
  ended.abort();
  await coming;
} finally {
  await browser.close();
  await server.stop();
}
process.exit(0);
