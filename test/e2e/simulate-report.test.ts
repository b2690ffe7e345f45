import { expect, test } from "vitest";
import { saleReportHtml } from "../../cli/simulate/report.ts";
import { expectAccessible, expectNoSidewaysScroll } from "../support/dashboard-visit.ts";
import { openBrowser } from "../support/browser.ts";
import { report } from "../support/sale-report.ts";

/** What the report looked like, for people: git does not keep it. */
const PICTURES = "test-results/browser";

test.each([
  ["light", 1_100],
  ["dark", 1_100],
  ["light", 320],
] as const)(
  "[SALEREPORT-3] a report in a browser, %s, %i wide: readable, nothing sticks out, nothing is asked for",
  async (colorScheme, width) => {
    const browser = await openBrowser();
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
    const page = await context.newPage();
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("console", (said) => complaints.push(said.text()));
    await page.setContent(saleReportHtml(report));
    const summary = page.getByText("Waiting as a table");
    await summary.focus();
    await page.keyboard.press("Enter");
    expect(await page.getByRole("group", { name: "Waiting, a table" }).isVisible()).toBe(true);
    await expectNoSidewaysScroll(page);
    await page.screenshot({
      path: `${PICTURES}/report-${colorScheme}-${width}.png`,
      fullPage: true,
    });
    await expectAccessible(page);
    expect([asked, complaints]).toEqual([[], []]);
    await context.close();
  },
);
