import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { PROJECT_ROOT } from "../../cli/launch/worker-config.ts";
import { PATIENCE_MS } from "./eventually.ts";

export interface CommandEvent {
  readonly event: string;
  readonly [field: string]: any;
}

/** A command of ours in a process of its own, started as npm would start it. */
export class Command {
  readonly child: ChildProcess;
  readonly lines: string[] = [];
  readonly #ended: Promise<number | null>;
  #errors = "";

  constructor(
    script: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    root = PROJECT_ROOT,
  ) {
    const node = resolve(PROJECT_ROOT, "node_modules/.bin/node");
    this.child = spawn(node, [resolve(root, script), ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...env },
    });
    this.#ended = once(this.child, "close").then(([code]) => code as number | null);
    createInterface({ input: this.child.stdout! }).on("line", (line) => this.lines.push(line));
    this.child.stderr!.on("data", (chunk: Buffer) => (this.#errors += chunk.toString()));
  }

  get stderr(): string {
    return this.#errors;
  }

  /** The lines that are JSON events. */
  get events(): CommandEvent[] {
    return this.lines.flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
  }

  /** The first event of this name; fails when the command ends without it. */
  async event(name: string, { within = PATIENCE_MS } = {}): Promise<CommandEvent> {
    const giveUpAt = performance.now() + within;
    for (;;) {
      const found = this.events.find(({ event }) => event === name);
      if (found !== undefined) return found;
      if (this.child.exitCode !== null || performance.now() > giveUpAt)
        throw new Error(`no "${name}"; it said:\n${this.lines.join("\n")}\n${this.#errors}`);
      await new Promise((later) => setTimeout(later, 20));
    }
  }

  /** The exit code, once output is closed too; null after a signal. */
  ended(): Promise<number | null> {
    return this.#ended;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** For `afterEach`: ends what a failed test left behind. */
  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill("SIGTERM");
    await this.#ended;
  }
}
