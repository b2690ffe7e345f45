import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** How many sockets a process of this machine has open (Linux). */
export const socketsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/fd`).filter((descriptor) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${descriptor}`).startsWith("socket:");
    } catch {
      return false;
    }
  }).length;

/** Resident memory of a process, in megabytes (Linux). */
export const memoryOf = (pid: number): number => {
  const [, kilobytes] =
    /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  if (kilobytes === undefined) throw new Error(`process ${pid} has no memory`);
  return Number(kilobytes) / 1_024;
};
