/** Flags that every command of a deployment takes. */
import { parseArgs } from "node:util";
import type { DeploymentAccess } from "./deployment.ts";
import { describe, quoted, usageFailure } from "./launch/failure.ts";
import { refuseKeptByNpm } from "./launch/npm-kept.ts";
import { tokenFrom } from "./token.ts";

export const DEFAULT_SERVER = "http://127.0.0.1:8787";

/**
 * Unknown flags and missing values, as a usage failure instead of a stack; likewise those that npm kept:
 * a token whose `--room` is missing opens all rooms.
 */
export const parseOrFail = <const Options extends NonNullable<ParseOptions>>(
  argv: readonly string[],
  options: Options,
) => {
  const { npm_lifecycle_event: script } = process.env;
  if (script !== undefined)
    refuseKeptByNpm(`npm run ${script}`, argv, specsOf(options), process.env);
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (thrown) {
    const [said = ""] = describe(thrown).split(". ");
    const hidden = said.replace(/'[^']*'/g, (word) => quoted(word.slice(1, -1)));
    throw usageFailure(hidden, ["--help lists every flag"]);
  }
};

const specsOf = (options: NonNullable<ParseOptions>) =>
  Object.fromEntries(
    Object.entries(options).map(([name, { type }]) => [
      name,
      type === "string" ? { value: name.toUpperCase() } : {},
    ]),
  );

type ParseOptions = NonNullable<Parameters<typeof parseArgs>[0]>["options"];

export const deploymentOf = (
  values: {
    readonly server?: string | boolean | undefined;
    readonly token?: string | boolean | undefined;
    readonly "token-file"?: string | boolean | undefined;
  },
  env: Readonly<Record<string, string | undefined>>,
  variable = "ADMIN_TOKEN",
): DeploymentAccess => {
  const server = String(values.server ?? (env["SEIRIKEN_SERVER"] || DEFAULT_SERVER));
  const textOf = (value: string | boolean | undefined) =>
    value === undefined ? null : String(value);
  const token = tokenFrom(
    {
      flag: "token",
      given: textOf(values.token),
      file: textOf(values["token-file"]),
      variable,
      formerly: `SEIRIKEN_${variable}`,
      env,
    },
    1,
  );
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol)) {
    throw usageFailure("the server is no http or https URL", ["--server https://shop.example.com"]);
  }
  if (token === null) {
    throw usageFailure("a token is needed", [
      `give the deployment's ${variable} in the variable of that name, or with --token-file`,
    ]);
  }
  return { server: new URL(server).origin, token };
};
