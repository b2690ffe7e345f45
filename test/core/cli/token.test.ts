import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parseKeysCommand } from "../../../cli/keys-command.ts";
import { readFlags } from "../../../cli/launch/flags.ts";
import { readSettings, settingSpecs } from "../../../cli/launch/settings.ts";
import { failureText } from "../../../cli/launch/report.ts";
import { parseLocksCommand } from "../../../cli/locks-command.ts";
import { parseRoomsCommand } from "../../../cli/rooms-command.ts";
import { tokenFrom } from "../../../cli/token.ts";
import { failureOf } from "../../support/failure.ts";

const directory = mkdtempSync(join(tmpdir(), "seiriken-token-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const fileWith = (name: string, text: string): string => {
  const path = join(directory, name);
  writeFileSync(path, text);
  chmodSync(path, 0o600);
  return path;
};
const FROM_FILE = "token-of-the-file-17";
const FILE = fileWith("token", `${FROM_FILE}\n`);

const settings = (args: readonly string[], env: Record<string, string> = {}) =>
  readSettings(readFlags(args, settingSpecs), env);

test.each([
  [["--admin-token-file", FILE, "--lock-token-file", FILE], {}, FROM_FILE],
  [[], { ADMIN_TOKEN: "sixteen-letters!", LOCK_TOKEN: "sixteen-letters!" }, "sixteen-letters!"],
  [
    ["--admin-token", "by-flag-by-flag-", "--lock-token", "by-flag-by-flag-"],
    {},
    "by-flag-by-flag-",
  ],
])("[RUN-18] tokens by %j and %j", (args, env, token) => {
  const read = settings(args, env as Record<string, string>);
  expect([read.adminToken, read.lockToken]).toEqual([token, token]);
  const inSight = (args as readonly string[]).includes("--admin-token")
    ? ["admin-token", "lock-token"]
    : [];
  expect(read.tokensInSight).toEqual(inSight);
});

test.each([
  [["--admin-token", "fifteen-letters"], {}],
  [["--lock-token", "fifteen-letters"], {}],
  [["--admin-token-file", fileWith("short", "fifteen-letters\n")], {}],
  [[], { ADMIN_TOKEN: "fifteen-letters" }],
  [[], { LOCK_TOKEN: "fifteen-letters" }],
  [["--admin-token", "a token with blanks inside"], {}],
  [["--admin-token-file", fileWith("empty", "\n")], {}],
  [["--admin-token-file", join(directory, "nowhere")], {}],
  [["--admin-token", "by-flag-by-flag-", "--admin-token-file", FILE], {}],
])("[RUN-18] %j with %j is refused, and not repeated", (args, env) => {
  const failure = failureOf(() => settings(args, env as Record<string, string>));
  expect(failure.exitCode).toBe(2);
  expect(failureText(failure)).not.toMatch(/fifteen-letters|blanks inside|by-flag/);
});

const SECRET = "R4nd0mT0kenOfAnOperator";
const parsers = {
  start: (args: readonly string[]) => settings(args),
  rooms: (args: readonly string[]) => parseRoomsCommand(args, {}),
  keys: (args: readonly string[]) => parseKeysCommand(args, {}),
  locks: (args: readonly string[]) => parseLocksCommand(args, {}),
} as const;
const MISPLACED: readonly (readonly [keyof typeof parsers, readonly string[]])[] = [
  ["start", [SECRET]],
  ["start", ["--json", SECRET]],
  ["start", ["--json=" + SECRET]],
  ["start", [`--${SECRET}`]],
  ["start", ["--origin", `http://me:${SECRET}@h`]],
  ["start", ["--origin", `ftp://me:${SECRET}@h`]],
  ["rooms", [SECRET]],
  ["rooms", ["pause", "shop", SECRET]],
  ["rooms", ["list", SECRET, "--token", "t"]],
  ["rooms", ["list", `--${SECRET}`]],
  ["rooms", ["list", "--json=" + SECRET]],
  ["rooms", ["list", "--token", `--${SECRET}`]],
  ["rooms", ["list", "--token", `${SECRET} \n`]],
  ["rooms", ["list", "--token", "t", "--server", `ftp://me:${SECRET}@h`]],
  ["rooms", [SECRET, "--watch"]],
  ["keys", [SECRET]],
  ["keys", ["revoke", "a", SECRET]],
  ["locks", ["list", SECRET, "--token", "t"]],
  ["locks", [SECRET]],
];
test.each(MISPLACED)("[CLI-11] %s %j repeats nothing that may be a token", (parser, args) => {
  const failure = failureOf(() => parsers[parser](args));
  expect(failureText(failure)).not.toContain(SECRET);
});

test("[CLI-11] the clients take their token from a file too, and each variable for its own", () => {
  const both = { ADMIN_TOKEN: "admin", LOCK_TOKEN: "lock" };
  expect(parseRoomsCommand(["list", "--token-file", FILE], {}).deployment.token).toBe(FROM_FILE);
  expect(parseKeysCommand(["list", "--token-file", FILE], {})).toMatchObject({
    deployment: { token: FROM_FILE },
  });
  expect(parseLocksCommand(["list"], both)).toMatchObject({ deployment: { token: "admin" } });
  expect(parseLocksCommand(["holders", "a"], both)).toMatchObject({
    deployment: { token: "lock" },
  });
});

test.each([
  [{ ADMIN_TOKEN: "new" }, "new", []],
  [{ SEIRIKEN_ADMIN_TOKEN: "old" }, "old", ["SEIRIKEN_ADMIN_TOKEN is now ADMIN_TOKEN"]],
  [{ ADMIN_TOKEN: "same", SEIRIKEN_ADMIN_TOKEN: "same" }, "same", []],
  [
    { ADMIN_TOKEN: "new", SEIRIKEN_ADMIN_TOKEN: "old" },
    "new",
    ["SEIRIKEN_ADMIN_TOKEN is now ADMIN_TOKEN, which is used"],
  ],
  [{ ADMIN_TOKEN: "", SEIRIKEN_ADMIN_TOKEN: "" }, null, []],
])("[CLI-3] of %j the token is %s", (env, token, told) => {
  const sources = { flag: "token", given: null, file: null, variable: "ADMIN_TOKEN" };
  const said: string[] = [];
  const found = tokenFrom({ ...sources, formerly: "SEIRIKEN_ADMIN_TOKEN", env }, 1, (line) =>
    said.push(line),
  );
  expect([found, said]).toEqual([token, told]);
});

test("[CLI-3] where a flag gives the token nobody hears of variables", () => {
  const said: string[] = [];
  const env = { SEIRIKEN_ADMIN_TOKEN: "old" };
  const sources = { flag: "token", given: "given", file: null, variable: "ADMIN_TOKEN", env };
  const tell = (line: string) => void said.push(line);
  expect(tokenFrom({ ...sources, formerly: "SEIRIKEN_ADMIN_TOKEN" }, 1, tell)).toBe("given");
  expect(said).toEqual([]);
});
