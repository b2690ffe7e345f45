/** Flags that npm took for its own: without ` -- ` before them a command never sees them. */
import { usageFailure } from "./failure.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** Flags by name; one that takes a value names it, as in flags.ts. */
type Specs = Readonly<Record<string, { readonly value?: string }>>;

/** Of these npm has its own, and they say nothing about ours; without them we ask, or refuse. */
const NPMS_OWN = new Set(["force", "help", "json", "scope", "yes"]);

/** The command would go on without them, and nobody would notice. `command`: `npm run simulate`. */
export const refuseKeptByNpm = (
  command: string,
  argv: readonly string[],
  specs: Specs,
  env: Variables,
): void => {
  const kept = Object.entries(specs).flatMap(([name, spec]) => {
    const value = NPMS_OWN.has(name) ? undefined : env[`npm_config_${name.replaceAll("-", "_")}`];
    return value === undefined || value === "" ? [] : [{ name, spec, value }];
  });
  if (kept.length === 0) return;
  const [word] = argv;
  const written = kept.map(({ name, spec, value }) => {
    if (spec.value === undefined) return `--${name}`;
    // npm takes a value behind "=" only, and hands on what stands behind a space.
    const isOnly = kept.length === 1 && argv.length === 1 && /^[\w.,%-]{1,12}$/.test(word ?? "");
    const given = /^[\w.,%-]{1,12}$/.test(value) && value !== "true" ? value : null;
    return `--${name} ${given ?? (isOnly ? word : spec.value)}`;
  });
  const names = kept.map(({ name }) => `--${name}`).join(", ");
  throw usageFailure(`npm took ${names} for ${kept.length === 1 ? "a flag" : "flags"} of its own`, [
    `write " -- " before flags: ${command} -- ${written.join(" ")}`,
  ]);
};
