import { expect, test } from "vitest";
import { parseKeysCommand } from "../../../cli/keys-command.ts";
import { parseRoomsCommand } from "../../../cli/rooms-command.ts";
import { failureOf } from "../../support/failure.ts";

const env = { ADMIN_TOKEN: "secret" };
const commandOf = (...argv: string[]) => parseRoomsCommand(argv, env).command;

test.each([
  [["pause", "shop"], { queue_all: true }],
  [["resume", "shop"], { queue_all: false }],
  [["suspend", "shop"], { suspended: true }],
  [["unsuspend", "shop"], { suspended: false }],
  [["close", "shop", "Sold out"], { seiriken: { closed: "Sold out" } }],
  [["open", "shop"], { seiriken: { closed: null } }],
  [["message", "shop", "Doors at ten"], { seiriken: { message: "Doors at ten" } }],
  [["message", "shop", "--clear"], { seiriken: { message: null } }],
])("[CLI-1] %j changes one setting", (argv, patch) => {
  expect(commandOf(...argv)).toMatchObject({ kind: "change", room: "shop", patch });
});

test("[PREVIEW-5] preview takes one file", () => {
  expect(commandOf("preview", "page.html")).toEqual({ kind: "preview", file: "page.html" });
  expect(failureOf(() => commandOf("preview"))).toMatchObject({ code: "usage" });
});

test("[CLI-1] apply, list and status", () => {
  expect(commandOf("apply", "rooms.json")).toEqual({
    kind: "apply",
    file: "rooms.json",
    prune: false,
    isDry: false,
    tellsByCode: false,
    isAgreed: false,
  });
  expect(commandOf("apply", "--prune", "rooms.json")).toMatchObject({ prune: true });
  expect(commandOf("list", "--json")).toMatchObject({ kind: "list", json: true });
  expect(commandOf("status")).toMatchObject({ room: null, watch: false });
  expect(commandOf("status", "shop", "--watch")).toMatchObject({ room: "shop", watch: true });
});

test.each([
  [[]],
  [["launch", "shop"]],
  [["toString", "shop"]],
  [["pause"]],
  [["pause", "shop", "bar"]],
  [["pause", "shop", "--watch"]],
  [["list", "shop"]],
  [["apply"]],
  [["status", "--watch"]],
  [["close", "shop"]],
  [["close", "shop", " "]],
  [["message", "shop", "a", "b"]],
  [["message", "shop", "a", "--clear"]],
  [["list", "--colour"]],
  [["list", "--server"]],
])("[CLI-2] %j was called wrongly: exit code 2", (argv) => {
  const failure = failureOf(() => parseRoomsCommand(argv, env));
  expect(failure).toMatchObject({ code: "usage", exitCode: 2 });
  expect(failure.message).not.toBe("");
});

test("[CLI-3] flags win over the environment, the environment over the default", () => {
  const deploymentOf = (argv: string[], more = {}) =>
    parseRoomsCommand(["list", ...argv], { ...env, ...more }).deployment;
  expect(deploymentOf([])).toEqual({ server: "http://127.0.0.1:8787", token: "secret" });
  const SEIRIKEN_SERVER = "https://shop.example.com/";
  expect(deploymentOf([], { SEIRIKEN_SERVER }).server).toBe("https://shop.example.com");
  expect(deploymentOf(["--server", "http://h:1", "--token", "t"], { SEIRIKEN_SERVER })).toEqual({
    server: "http://h:1",
    token: "t",
  });
});

test("[CLI-3] without a token, or with an address that is none, it says what to give", () => {
  const noToken = failureOf(() => parseRoomsCommand(["list"], {}));
  expect(noToken.details.join()).toContain("ADMIN_TOKEN");
  const noUrl = failureOf(() => parseRoomsCommand(["list", "--server", "shop:1"], env));
  expect(noUrl.exitCode).toBe(2);
});

test("[CLI-4] help needs no token", () => {
  expect(parseRoomsCommand(["--help"], {}).command).toEqual({ kind: "help" });
  expect(parseKeysCommand(["-h"], {})).toEqual({ kind: "help" });
});

test("[CLI-7] keys list, rotate and revoke NAME, and nothing else", () => {
  expect(parseKeysCommand(["revoke", "k1"], env)).toMatchObject({ kind: "revoke", name: "k1" });
  expect(parseKeysCommand(["rotate"], env)).toMatchObject({ kind: "rotate" });
  expect(parseKeysCommand(["list"], env)).toMatchObject({ kind: "list" });
  for (const argv of [[], ["delete"], ["list", "rotate"], ["revoke"], ["revoke", "a", "b"]]) {
    expect(failureOf(() => parseKeysCommand(argv, env)).exitCode).toBe(2);
  }
});
