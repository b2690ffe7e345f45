import { expect, test } from "vitest";
import { bundleWhole } from "../../../cli/launch/bundle.ts";
import { readWorkerConfig } from "../../../cli/launch/worker-config.ts";

test("the Worker's script is of plain letters, so that an isolate keeps it with a byte for each", async () => {
  const script = await bundleWhole(await readWorkerConfig());
  expect(/.{0,40}[^\n -~\t\r].{0,40}/.exec(script)?.[0] ?? null).toBeNull();
});
