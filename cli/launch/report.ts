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

/** Progress on stdout; logs of the Worker, warnings and failures on stderr. */
export const textReport = (
  out: (line: string) => void = (line) => process.stdout.write(`${line}\n`),
  err: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
): Report => ({
  tell(event) {
    switch (event.event) {
      case "ready":
        return out(`ready ${event.url}`);
      case "warning":
        return err(`warning: ${event.message}`);
      case "hint":
        return out(`hint: ${event.message}`);
      case "log":
        return err(event.message);
      case "step":
      case "restarted":
      case "stopping":
        return out(event.message);
      default:
        return event satisfies never;
    }
  },
  fail: (failure) =>
    err([`error: ${failure.message}`, ...failure.details.map((line) => `  ${line}`)].join("\n")),
});

/** One JSON object a line on stdout, for programs. */
export const jsonReport = (
  out: (line: string) => void = (line) => process.stdout.write(`${line}\n`),
): Report => ({
  tell: (event) => out(JSON.stringify(event)),
  fail: ({ code, message, details }) =>
    out(JSON.stringify({ event: "error", code, message, details })),
});

/** A line that the Worker or workerd logged. */
export interface WorkerLog {
  readonly level: string;
  readonly message: string;
}

/** What workerd marks as of no interest to anyone but its makers. */
const RUNTIME_NOISE = /^NOSENTRY /;

export const tellLog = (report: Report, { level, message }: WorkerLog): void => {
  if (!RUNTIME_NOISE.test(message)) report.tell({ event: "log", level, message });
};
