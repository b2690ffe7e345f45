import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { agree, type Terminal } from "../../../cli/ask.ts";
import { Failure } from "../../../cli/launch/failure.ts";

const HARM = ["shop: deleted, nothing guards */tickets any more (3 wait)"];

const terminal = (isTTY = true) => {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = Object.assign(new PassThrough(), { isTTY });
  const said = () => String((output.read() as Buffer | null) ?? "");
  return { input, output, said } satisfies Terminal & { said: () => string };
};

const failureOf = async (asked: Promise<void>): Promise<Failure | null> => {
  try {
    await asked;
    return null;
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown;
    throw thrown;
  }
};

test.each([
  ["yes\n", null],
  [" Y \n", null],
  ["no\n", "declined"],
  ["\n", "declined"],
  ["yes please\n", "declined"],
  ["yesno\n", "declined"],
  ["", "declined"],
])("[ASK-3] the answer %j: %s", async (answer, code) => {
  const on = terminal();
  const asked = failureOf(agree(HARM, false, on));
  on.input.end(answer);
  expect((await asked)?.code ?? null).toBe(code);
  expect(on.said()).toContain(HARM[0]);
});

test("[ASK-3] nobody is asked where nothing hurts, or where it was agreed to", async () => {
  const on = terminal();
  await agree([], false, on);
  await agree(HARM, true, on);
  expect(on.said()).toBe("");
});

test("[ASK-3] without a terminal it is refused with every reason and the way on", async () => {
  const failure = await failureOf(agree(HARM, false, terminal(false)));
  expect(failure).toMatchObject({ code: "needs-yes", exitCode: 1 });
  expect(failure?.message).toContain("nothing was changed");
  expect(failure?.details).toEqual([HARM[0], expect.stringContaining("--yes")]);
});
