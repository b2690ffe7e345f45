import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Ends a process that may already be gone. */
export const killNow = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it was gone
  }
};

/** False for one that has ended but was not yet fetched by its parent. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return process.platform !== "linux" || readProcess(String(pid))?.state !== "Z";
};

/** The workerd processes that this process started for one port (`--socket-addr=name=host:port`). */
export const childrenListeningOn = (port: number): number[] =>
  processes()
    .filter(({ parent, command }) => parent === process.pid && listensOn(command, port))
    .map(({ pid }) => pid);

export const isWorkerdOn = (pid: number, port: number): boolean =>
  processes().some(
    (one) => one.pid === pid && one.command.includes("workerd") && listensOn(one.command, port),
  );

const listensOn = (command: string, port: number): boolean =>
  new RegExp(`=\\S*:${port}(\\s|$)`).test(command);

interface ProcessLine {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
  readonly command: string;
}

const processes = (): ProcessLine[] => (process.platform === "linux" ? fromProc() : fromPs());

const fromProc = (): ProcessLine[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(name) ?? []);

const readProcess = (pid: string): ProcessLine | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // pid (name, which may hold anything) state ppid …
    const [state = "", parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return { pid: Number(pid), parent: Number(parent), state, command };
  } catch {
    return null;
  }
};

const fromPs = (): ProcessLine[] =>
  execFileSync("ps", ["-A", "-o", "pid=,ppid=,state=,args="], { encoding: "utf8" })
    .split("\n")
    .flatMap((line) => {
      const [, pid, parent, state = "", command = ""] =
        /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
      return pid === undefined
        ? []
        : [{ pid: Number(pid), parent: Number(parent), state, command }];
    });
