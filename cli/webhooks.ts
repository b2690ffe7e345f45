import type { DeliveryResource, WebhookResource } from "../src/api/webhooks/resource.ts";
import { runAsCommand, say, sayJson } from "./command.ts";
import { Failure } from "./launch/failure.ts";
import { parseWebhooksCommand, WEBHOOKS_HELP, type WebhooksRequest } from "./webhooks-command.ts";
import type { WebhookWithSecret } from "../src/api/webhooks/resource.ts";
import { WebhooksClient } from "./webhooks-client.ts";

await runAsCommand(async () => {
  const request = parseWebhooksCommand(process.argv.slice(2), process.env);
  if (request.kind === "help") {
    process.stdout.write(`${WEBHOOKS_HELP}\n`);
    return;
  }
  await run(request, new WebhooksClient(request.deployment));
});

async function run(
  request: Exclude<WebhooksRequest, { kind: "help" }>,
  client: WebhooksClient,
): Promise<void> {
  const tell = <T>(answer: T, inWords: (answer: T) => void): void =>
    request.json ? sayJson(answer) : inWords(answer);
  if (request.kind === "list") {
    tell(await client.list(), (all) => {
      if (all.length === 0) say("there are no webhooks");
      for (const webhook of all) say(lineOf(webhook));
    });
    return;
  }
  if (request.kind === "create") {
    const { name, url, types, rooms } = request;
    tell(await client.create({ name, url, types, rooms }), saySecret);
    return;
  }
  const { id, name } = await client.find(request.name);
  switch (request.kind) {
    case "test": {
      const answer = await client.test(id);
      tell(answer, ({ status, took_ms: took }) => {
        if (status !== null) say(`${name} answered ${status} in ${took} ms`);
      });
      // For scripts: a receiver that does not take it is a failure.
      if (answer.problem !== null)
        throw new Failure("webhook-refused", `${name}: ${answer.problem}`);
      return;
    }
    case "deliveries":
      tell(await client.deliveries(id), (all) => {
        if (all.length === 0) say("nothing has been sent");
        for (const delivery of all) say(deliveryLine(delivery));
      });
      return;
    case "on":
    case "off":
      tell(await client.change(id, { enabled: request.kind === "on" }), (now) => say(lineOf(now)));
      return;
    case "rotate":
      tell(await client.rotate(id), saySecret);
      return;
    case "delete":
      await client.delete(id);
      tell({ id }, () => say(`${name} is deleted`));
      return;
    default:
      request satisfies never;
  }
}

function saySecret({ name, secret }: WebhookWithSecret): void {
  say(`${name}: its secret, which nobody is shown again:`);
  say(secret);
}

function lineOf(webhook: WebhookResource): string {
  const { id, name, url, types, rooms, enabled, failing_since: failing, dropped } = webhook;
  const about = [
    enabled ? "on" : `off${webhook.off_reason === null ? "" : ` (${webhook.off_reason})`}`,
    ...(types === null ? [] : [types.join(", ")]),
    ...(rooms === null ? [] : [`${rooms.length} ${rooms.length === 1 ? "room" : "rooms"}`]),
    ...(failing === null ? [] : [`failing since ${failing}`]),
    ...(dropped === 0 ? [] : [`${dropped} dropped`]),
  ];
  return `${name}  ${url}  ${about.join(" · ")}  ${id}`;
}

function deliveryLine({
  id,
  type,
  state,
  tries,
  noted_at,
  last_try: last,
}: DeliveryResource): string {
  const problem = last === null || last.problem === null ? "" : `  ${last.problem}`;
  return `${noted_at}  ${type}  ${state}, ${tries} ${tries === 1 ? "try" : "tries"}${problem}  ${id}`;
}
