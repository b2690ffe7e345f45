import { expect, test } from "vitest";
import { parseAuditCommand } from "../../../cli/audit-command.ts";
import { auditLines } from "../../../cli/audit-view.ts";
import { parseTokensCommand } from "../../../cli/tokens-command.ts";
import { failureOf } from "../../support/failure.ts";

const env = { ADMIN_TOKEN: "secret" };
const NOW = Date.UTC(2026, 10, 20, 9);
const tokens = (...argv: string[]) => parseTokensCommand(argv, env, NOW);
const audit = (...argv: string[]) => parseAuditCommand(argv, env, NOW);

test("[CLI-20] create takes a scope, rooms, and an end by instant or from now", () => {
  expect(tokens("create", "till", "--scope", "operate")).toMatchObject({
    ...{ kind: "create", name: "till", scope: "operate", rooms: null, expires_at: null },
    json: false,
  });
  const rooms = ["--room", "a", "--room", "b"];
  expect(tokens("create", "till", "--scope", "read", ...rooms, "--expires", "30d")).toMatchObject({
    rooms: ["a", "b"],
    expires_at: "2026-12-20T09:00:00.000Z",
  });
  const at = tokens("create", "till", "--scope", "read", "--expires", "2026-12-01T09:00:00+01:00");
  expect(at).toMatchObject({ expires_at: "2026-12-01T08:00:00.000Z" });
  expect(tokens("revoke", "till")).toMatchObject({ kind: "revoke", token: "till" });
  expect(tokens("list", "--json")).toMatchObject({ kind: "list", json: true });
});

test.each([
  [[]],
  [["make", "till"]],
  [["create"]],
  [["create", "till"]],
  [["create", "till", "--scope", "root"]],
  [["create", "a", "b", "--scope", "read"]],
  [["create", "till", "--scope", "read", "--expires", "soon"]],
  [["list", "till"]],
  [["list", "--scope", "read"]],
  [["revoke", "till", "--json"]],
  [["revoke"]],
])("[CLI-2] tokens %j makes no sense", (argv) => {
  expect(failureOf(() => tokens(...argv)).exitCode).toBe(2);
});

test("[CLI-21] audit narrows as the API does; all there is as lines of JSON", () => {
  expect(audit()).toMatchObject({ query: {}, limit: 50, asLines: false });
  expect(audit("--jsonl")).toMatchObject({ limit: null, asLines: true });
  const narrowed = audit("--room", "sale", "--by", "till", "--from", "2h", "--limit", "7");
  expect(narrowed).toMatchObject({
    query: { room: "sale", by: "till", from: "2026-11-20T07:00:00.000Z" },
    limit: 7,
  });
  for (const argv of [["sale"], ["--limit", "0"], ["--from", "soon"]])
    expect(failureOf(() => audit(...argv)).exitCode).toBe(2);
});

test("[CLI-21] an entry is a line, and one for each setting", () => {
  const entry = {
    ...{ id: 4, at: "2026-11-20T09:00:00.000Z", by: { id: "1", name: "till" }, network: null },
    ...{ reference: "ABCD2345", action: "room-changed", target: null, left_out: ["logo"] },
    room: { id: "a", name: "sale" },
    changes: { total_active_users: [10, 20], "seiriken.message": [null, "x".repeat(90)] },
  } as const;
  expect(auditLines(entry)).toEqual([
    "2026-11-20T09:00:00.000Z  till  room-changed  sale",
    "    total_active_users: 10 -> 20",
    `    seiriken.message: none -> "${"x".repeat(59)}…`,
    "    logo: changed, too long to be kept",
  ]);
});
