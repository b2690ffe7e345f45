import { expect, test } from "vitest";
import { axeFinds } from "../support/axe.ts";
import { browserStage } from "../support/browser-stage.ts";
import { phaseIs } from "../support/browser-visit.ts";
import type { BrowserVisit } from "../support/browser-visit.ts";
import { eventually } from "../support/eventually.ts";
import { goThrough, hangUp, takeNumber } from "../support/journey.ts";
import { roomOver, visitorInside } from "../support/rooms.ts";
import type { Visitor, VisitorSocket } from "../support/visitor.ts";

/** What the page looked like, for people: git does not keep it. */
const PICTURES = "test-results/browser";
const SIZES = {
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
  desktop: { viewport: { width: 1_280, height: 800 } },
} as const;
const LOOKS = (["phone", "desktop"] as const).flatMap((size) =>
  (["light", "dark"] as const).map((colorScheme) => ({ size, colorScheme })),
);

const stage = browserStage({
  rooms: LOOKS.map(({ size, colorScheme }) =>
    roomOver(`${size}-${colorScheme}`, {
      total_active_users: 1,
      seiriken: {
        message: "The first hundred seats go by number.",
        appearance: { name: "Night Train" },
      },
    }),
  ),
});

/** So many in line, with their sockets. */
const crowdOf = async (room: string, people: number) => {
  const crowd: { readonly visitor: Visitor; readonly socket: VisitorSocket }[] = [];
  for (let index = 0; index < people; index += 1) {
    const visitor = stage.seiriken.visitor({ room });
    await takeNumber(visitor);
    crowd.push({ visitor, socket: await visitor.socket() });
  }
  return crowd;
};

/** Axe finds nothing, nothing sticks out, and a picture is kept. */
const looksRight = async (here: BrowserVisit, room: string, state: string): Promise<void> => {
  const { page } = here;
  await page.waitForFunction(() => document.getAnimations().length === 0);
  await page.screenshot({ path: `${PICTURES}/${room}-${state}.png`, fullPage: true });
  expect(await axeFinds(page), state).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
};

test.concurrent.each(LOOKS)(
  "[BROWSER-11] $size, $colorScheme: axe finds nothing on the real page, waiting, paused, closed or called",
  { timeout: 300_000 },
  async ({ size, colorScheme }) => {
    const room = `${size}-${colorScheme}`;
    for (let gone = 0; gone < 4; gone += 1)
      await goThrough(stage.seiriken.visitor({ room }), { path: `/${room}/seat` });
    const holder = await visitorInside(stage.seiriken, room);
    const before = await crowdOf(room, 6);
    await using here = await stage.visit(`/${room}/seat`, {
      ...SIZES[size],
      colorScheme,
      // Whoever is called stays so: the claim never leaves.
      prepare: (page) => page.route("**/visits", () => undefined),
    });
    await phaseIs(here.page, "waiting");
    const after = await crowdOf(room, 3);
    await eventually(async () => expect(await here.text("wait")).toBe("Under a minute"));
    await looksRight(here, room, "waiting");

    await stage.change(room, { queue_all: true });
    await here.page.locator("body[data-paused]").waitFor();
    await looksRight(here, room, "paused");

    await stage.change(room, { queue_all: false, seiriken: { closed: "Sold out. Good night." } });
    await phaseIs(here.page, "closed");
    await looksRight(here, room, "closed");

    await stage.change(room, { seiriken: { closed: null } });
    await phaseIs(here.page, "waiting");
    for (const { visitor } of before) await visitor.leave();
    await holder.release();
    await phaseIs(here.page, "called");
    await looksRight(here, room, "called");
    await hangUp([...before, ...after].map(({ socket }) => socket));
  },
);
