import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/**
 * What axe finds wrong with a page: each rule, and where it is broken. Our pages have no frames, so that all of it
 * can be done in the page itself: by itself axe would load anew, into a blank tab, for two and a half times the work.
 */
export const axeFinds = async (page: Page): Promise<string[]> => {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
};
