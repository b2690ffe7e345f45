import type { TokenResource } from "../src/api/tokens/schema.ts";
import { plainText } from "../src/core/plain-text.ts";
import { ManagementClient } from "./api-client.ts";
import { runAsCommand, say, sayJson } from "./command.ts";
import { Failure, quoted } from "./launch/failure.ts";
import { tableOf } from "./rooms-view.ts";
import { parseTokensCommand, TOKENS_HELP } from "./tokens-command.ts";

const HEAD = ["name", "scope", "rooms", "ends", "made", "by"];

await runAsCommand(async () => {
  const request = parseTokensCommand(process.argv.slice(2), process.env, Date.now());
  if (request.kind === "help") {
    process.stdout.write(`${TOKENS_HELP}\n`);
    return;
  }
  const client = new ManagementClient(request.deployment);
  switch (request.kind) {
    case "list": {
      const tokens = await client.listTokens();
      if (request.json) sayJson(tokens, 2);
      else for (const line of tableOf([HEAD, ...tokens.map(rowOf)])) say(line);
      return;
    }
    case "create": {
      const { name, scope, rooms, expires_at } = request;
      const made = await client.createToken({ name, scope, rooms, expires_at });
      if (request.json) return sayJson(made, 2);
      say(made.token);
      // npm may have kept --expires without a trace.
      const opens = rooms === null ? "all rooms" : rooms.join(", ");
      const ends = expires_at === null ? "it never ends" : `until ${expires_at}`;
      process.stderr.write(
        `Scope ${scope}, ${plainText(opens)}, ${ends}. It is shown this once: keep it where only its holder can read it.\n`,
      );
      return;
    }
    case "revoke": {
      const found = (await client.listTokens()).find(
        ({ id, name }) =>
          id === request.token || name.toLowerCase() === request.token.toLowerCase(),
      );
      if (found === undefined)
        throw new Failure("not-found", `there is no token ${quoted(request.token)}`, [
          "npm run tokens -- list shows those there are",
        ]);
      await client.revokeToken(found.id);
      say(`${found.name} is revoked: it opens nothing any more, everywhere within 5 seconds`);
      return;
    }
    default:
      return request satisfies never;
  }
});

function rowOf({ name, scope, rooms, expires_at, made_at, made_by }: TokenResource): string[] {
  const covered = rooms === null ? "all" : `${rooms.length} of them`;
  return [name, scope, covered, expires_at ?? "never", made_at, made_by];
}
