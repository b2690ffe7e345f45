import { afterEach, expect, test, vi } from "vitest";
import { parseRoomId } from "../../src/core/ids.ts";
import { definition, withRegistry } from "./registry-harness.ts";
import { noted } from "./webhooks-harness.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test("[LOGLINE-3] an alert that the Registry hears of is one line, under the room's name, also without a webhook", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const lines = (): unknown[] =>
    log.mock.calls
      .map(([line]) => JSON.parse(String(line)) as { event: string; unsaid?: number })
      .filter(({ event }) => event === "alert")
      // Other files of this runtime may have raised more in a second than are said.
      .map(({ unsaid: _, ...line }) => line);
  await withRegistry("alert lines", async ({ registry }) => {
    const id = parseRoomId("a".repeat(32));
    if (id === null) throw new Error("it is an id");
    const sale = definition(id, "sale");
    await registry.create(sale);
    await registry.raise(sale.id, [noted(1, { data: { waiting: 7 } })]);
    const line = { level: "info", event: "alert", room: "sale", type: "line.began", waiting: 7 };
    expect(lines()).toEqual([line]);
    // Handed over again, with one more: only that is news.
    await registry.raise(sale.id, [noted(1), noted(2, { type: "line.ended", data: {} })]);
    expect(lines()).toEqual([
      line,
      { level: "info", event: "alert", room: "sale", type: "line.ended" },
    ]);
  });
});
