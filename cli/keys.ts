import { ManagementClient } from "./api-client.ts";
import { runAsCommand } from "./command.ts";
import { KEYS_HELP, parseKeysCommand } from "./keys-command.ts";

await runAsCommand(async () => {
  const request = parseKeysCommand(process.argv.slice(2), process.env);
  if (request.kind === "help") {
    process.stdout.write(`${KEYS_HELP}\n`);
    return;
  }
  const client = new ManagementClient(request.deployment);
  const isNew = request.kind === "rotate";
  const { source, keys } = await (isNew ? client.rotateKeys() : client.listKeys());
  if (source === "secret") process.stdout.write("from the secret SIGNING_KEYS:\n");
  for (const [index, kid] of keys.entries()) {
    const first = isNew ? "new; signs in some 10 seconds, when every edge knows it" : "signs";
    process.stdout.write(`${kid}  ${index === 0 ? first : "verifies"}\n`);
  }
});
