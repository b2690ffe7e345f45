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

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** The workerd processes that this process started for one port (`--socket-addr=name=host:port`). */
export const childrenListeningOn = (port: number): number[] =>
  children()
    .filter(({ command }) => new RegExp(`=\\S*:${port}(\\s|$)`).test(command))
    .map(({ pid }) => pid);

interface Child {
  readonly pid: number;
  readonly command: string;
}

const children = (): Child[] => (process.platform === "linux" ? fromProc() : fromPs());

const fromProc = (): Child[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        // pid (name, which may hold anything) state ppid …
        const parent = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
        if (Number(parent) !== process.pid) return [];
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        return [{ pid: Number(pid), command }];
      } catch {
        return [];
      }
    });

const fromPs = (): Child[] =>
  execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .flatMap((line) => {
      const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return Number(parent) === process.pid ? [{ pid: Number(pid), command: command ?? "" }] : [];
    });
