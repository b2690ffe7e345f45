import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** How many sockets a process of this machine has open, however many descriptors each has (Linux). */
export const socketsOf = (pid: number): number => {
  const sockets = new Set<string>();
  for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
    try {
      const target = readlinkSync(`/proc/${pid}/fd/${descriptor}`);
      if (target.startsWith("socket:")) sockets.add(target);
    } catch {
      // It was closed between the two looks.
    }
  }
  return sockets.size;
};

/** Resident memory of a process, in megabytes (Linux). */
export const memoryOf = (pid: number): number => {
  const [, kilobytes] =
    /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  if (kilobytes === undefined) throw new Error(`process ${pid} has no memory`);
  return Number(kilobytes) / 1_024;
};

/** How many descriptors this process and those it starts may open (Linux). */
export const descriptorsMax = (): number => {
  const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
  return Number(soft ?? 1_024);
};
