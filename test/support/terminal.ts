import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { PROJECT_ROOT } from "../../cli/launch/worker-config.ts";
import { eventually } from "./eventually.ts";

/** A command of ours on a terminal (util-linux's `script`), typed at as a person does. */
export class Terminal {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  screen = "";

  constructor(
    command: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ) {
    const node = resolve(PROJECT_ROOT, "node_modules/.bin/node");
    const line = [node, resolve(PROJECT_ROOT, command), ...args].map(inQuotes).join(" ");
    this.#child = spawn("script", ["-qefc", line, "/dev/null"], {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, ...env },
    });
    this.#ended = once(this.#child, "close").then(([code]) => code as number | null);
    this.#child.stdout!.on("data", (chunk: Buffer) => (this.screen += chunk.toString()));
  }

  /** Resolves when the screen shows this. */
  shows(text: string): Promise<unknown> {
    return eventually(() => {
      if (!this.screen.includes(text)) throw new Error(`no "${text}" on:\n${this.screen}`);
    });
  }

  type(keys: string): void {
    this.#child.stdin!.write(keys);
  }

  /** The command's exit code. */
  ended(): Promise<number | null> {
    return this.#ended;
  }
}

/** Ctrl-C, as a keyboard sends it. */
export const CTRL_C = "\u0003";

const inQuotes = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;
