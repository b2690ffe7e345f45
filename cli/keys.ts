import { ManagementClient } from "./api-client.ts";
import { runAsCommand, say } from "./command.ts";
import { KEYS_HELP, parseKeysCommand, type KeysRequest } from "./keys-command.ts";

await runAsCommand(async () => {
  const request = parseKeysCommand(process.argv.slice(2), process.env);
  if (request.kind === "help") {
    process.stdout.write(`${KEYS_HELP}\n`);
    return;
  }
  const client = new ManagementClient(request.deployment);
  const isNew = request.kind === "rotate";
  const { source, keys } = await keysAfter(request, client);
  if (source === "secret") say("from the secret SIGNING_KEYS:");
  for (const [index, kid] of keys.entries()) {
    const first = isNew ? "new; signs in some 10 seconds, when every edge knows it" : "signs";
    say(`${kid}  ${index === 0 ? first : "verifies"}`);
  }
});

function keysAfter(request: Exclude<KeysRequest, { kind: "help" }>, client: ManagementClient) {
  switch (request.kind) {
    case "list":
      return client.listKeys();
    case "rotate":
      return client.rotateKeys();
    case "revoke":
      return client.revokeKey(request.name);
    default:
      return request satisfies never;
  }
}
