/**
 * What a launched server says on its terminal, or as JSON: steps, failures, and the Worker's log.
 */
import { styleText } from "node:util";
import { plainJson, plainText, withoutQueries } from "../../src/core/plain-text.ts";
import { LogThrottle } from "../../src/core/log-throttle.ts";
import type { Failure } from "./failure.ts";

/** Something the person (or the program) that started us may want to know. */
export type LaunchEvent =
  | { readonly event: "step"; readonly message: string }
  | { readonly event: "warning"; readonly message: string }
  | { readonly event: "hint"; readonly message: string }
  | { readonly event: "log"; readonly level: string; readonly message: string }
  | { readonly event: "ready"; readonly url: string }
  | { readonly event: "restarted"; readonly message: string }
  | { readonly event: "stopping"; readonly message: string };

export interface Report {
  tell(event: LaunchEvent): void;
  fail(failure: Failure): void;
}

/** Further lines of one message stand in a column of their own, so that none looks like a line of ours. */
const inLines = (message: string): string =>
  message
    .split("\n")
    .map((line) => plainText(line))
    .join("\n  ");

/** Red on a terminal that has colours; `NO_COLOR` and `FORCE_COLOR` are heeded. */
const red = (text: string): string => styleText("red", text, { stream: process.stderr });

/** Progress on stdout; logs of the Worker, and in red warnings and failures, on stderr. */
export const textReport = (
  out: (line: string) => void = (line) => process.stdout.write(`${line}\n`),
  err: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
  paint: (text: string) => string = red,
): Report => ({
  tell(event) {
    switch (event.event) {
      case "ready":
        return out(`ready ${event.url}`);
      case "warning":
        return err(paint(`warning: ${inLines(event.message)}`));
      case "hint":
        return out(`hint: ${inLines(event.message)}`);
      case "log":
        return err(inLines(event.message));
      case "step":
      case "restarted":
      case "stopping":
        return out(inLines(event.message));
      default:
        return event satisfies never;
    }
  },
  fail: (failure) => err(paint(`error: ${failureText(failure)}`)),
});

/** A failure and its details, for a terminal. */
export const failureText = ({ message, details }: Failure): string =>
  [message, ...details].map(inLines).join("\n  ");

/** One JSON object a line on stdout, for programs. */
export const jsonReport = (
  out: (line: string) => void = (line) => process.stdout.write(`${line}\n`),
): Report => ({
  tell: (event) => out(plainJson(event)),
  fail: ({ code, message, details }) => out(plainJson({ event: "error", code, message, details })),
});

/** A line that the Worker or workerd logged. */
export interface WorkerLog {
  readonly level: string;
  readonly message: string;
}

/**
 * Lines that workerd marks as for its developers only; and its line about an answer that the Worker
 * broke off on purpose, which the Worker has logged itself.
 */
const RUNTIME_NOISE = /^NOSENTRY |Error: seiriken: answer broken off/;

/**
 * How many log lines a second are passed on: nobody can read more, and they would fill the disk.
 */
const LOG_LINES_PER_SECOND_MAX = 100;

/** Passes on what the Worker and workerd log: without queries, cut, and so many lines a second. */
export const logTeller = (
  report: Report,
  now: () => number = () => performance.now(),
): ((log: WorkerLog) => void) => {
  const throttle = new LogThrottle(LOG_LINES_PER_SECOND_MAX);
  return ({ level, message }) => {
    if (RUNTIME_NOISE.test(message)) return;
    const unsaid = throttle.mayTell(now());
    if (unsaid === null) return;
    if (unsaid > 0)
      report.tell({ event: "warning", message: `${unsaid} lines of the log were left out` });
    report.tell({ event: "log", level, message: withoutQueries(message, LOG_LENGTH_MAX) });
  };
};

/** A stack with its frames. */
const LOG_LENGTH_MAX = 8_000;
