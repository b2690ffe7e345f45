import { expect, test } from "vitest";
import { parseWebhooksCommand, WEBHOOKS_HELP } from "../../../cli/webhooks-command.ts";
import { ALERT_TYPES } from "../../../src/core/alerts/alert.ts";
import { failureOf } from "../../support/failure.ts";

const env = { ADMIN_TOKEN: "secret" };
const webhooks = (...argv: string[]) => parseWebhooksCommand(argv, env);
const URL_ = "https://receiver.example.com/";

test("[WEBHOOK-13] create takes a name, a URL, and which alerts of which rooms", () => {
  const all = { kind: "create", name: "duty", url: URL_, types: null, rooms: null, json: false };
  expect(webhooks("create", "duty", URL_)).toMatchObject(all);
  const narrowed = ["--types", "line.began, wait.high", "--rooms", "shop", "--json"];
  expect(webhooks("create", "duty", URL_, ...narrowed)).toMatchObject({
    types: ["line.began", "wait.high"],
    rooms: ["shop"],
    json: true,
  });
  for (const kind of ["test", "deliveries", "on", "off", "rotate", "delete"])
    expect(webhooks(kind, "duty")).toMatchObject({ kind, name: "duty" });
  expect(webhooks("list", "--json")).toMatchObject({ kind: "list", json: true });
  expect(webhooks("--help")).toEqual({ kind: "help" });
  for (const type of ALERT_TYPES.filter((one) => one !== "webhook.test"))
    expect(WEBHOOKS_HELP).toContain(type);
});

test.each([
  [[]],
  [["make", "duty", URL_]],
  [["create"]],
  [["create", "duty"]],
  [["create", "duty", URL_, "more"]],
  [["test"]],
  [["test", "a", "b"]],
  [["list", "duty"]],
  [["on", "duty", "--types", "line.began"]],
  [["rotate", "duty", "--loud"]],
])("[WEBHOOK-13] webhooks %j makes no sense", (argv) => {
  expect(failureOf(() => webhooks(...argv)).exitCode).toBe(2);
});
