/**
 * Takes the pictures of docs/images from a real queue: `node scripts/screenshots.ts`. The machine
 * needs fonts for Japanese and Arabic (on Debian: fonts-noto-cjk, fonts-noto-core).
 */
import { mkdirSync } from "node:fs";
import { openBrowser } from "../test/support/browser.ts";
import { startSeiriken } from "../test/support/seiriken.ts";
import { Visitor } from "../test/support/visitor.ts";

const FOLDER = "docs/images";
const AHEAD = 41;

const room = {
  name: "shop",
  host: "*",
  path: "/tickets",
  total_active_users: 1,
  new_users_per_minute: 6_000,
  session_duration: 5,
  seiriken: {
    message: "The first hundred seats go by number. Doors are open until nine.",
    appearance: { name: "Night Train", accent: "#a8392f", logo: null },
  },
};

const SHOTS = [
  { name: "queue-phone-light", width: 390, height: 844, scheme: "light", language: "en" },
  { name: "queue-desktop-dark", width: 1280, height: 800, scheme: "dark", language: "en" },
  { name: "queue-phone-japanese", width: 390, height: 844, scheme: "dark", language: "ja" },
  { name: "queue-phone-arabic", width: 390, height: 844, scheme: "light", language: "ar" },
  { name: "queue-desktop-german", width: 1280, height: 800, scheme: "light", language: "de" },
] as const;

/** Visitors pass through quickly, so that the wait is known; then as many wait as are to be seen. */
const fillLine = async (server: string): Promise<void> => {
  for (let passed = 0; passed < 60; passed += 1) {
    const visitor = new Visitor(server);
    // The first answer brings the visitor id, the second the ticket.
    await visitor.take();
    await visitor.take();
    await visitor.claim();
    await new Promise((resolve) => setTimeout(resolve, 100));
    await visitor.release();
  }
  const inside = new Visitor(server);
  await inside.get("/tickets");
  for (let waiting = 0; waiting < AHEAD; waiting += 1) {
    const visitor = new Visitor(server);
    await visitor.get("/tickets");
    await visitor.take();
    await visitor.socket();
  }
};

const server = await startSeiriken({ rooms: [room] });
const browser = await openBrowser();
try {
  mkdirSync(FOLDER, { recursive: true });
  await fillLine(server.url);
  for (const { name, width, height, scheme, language } of SHOTS) {
    const viewport = { width, height };
    const options = { viewport, colorScheme: scheme, locale: language, deviceScaleFactor: 1.5 };
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await page.goto(`${server.url}/tickets`);
    await page.waitForTimeout(2_500);
    await page.screenshot({ path: `${FOLDER}/${name}.png` });
    console.log(`${FOLDER}/${name}.png`);
    await context.close();
  }
} finally {
  await browser.close();
  await server.stop();
}
process.exit(0);
