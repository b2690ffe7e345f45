import { readFileSync } from "node:fs";

/** In /proc/stat's first line: user nice system idle iowait irq softirq steal, in ticks since the start. */
const FIELDS = 8;
const STEAL = 7;

const ticks = (): readonly number[] => {
  try {
    const [first = ""] = readFileSync("/proc/stat", "utf8").split("\n");
    return first
      .trim()
      .split(/\s+/)
      .slice(1, 1 + FIELDS)
      .map(Number);
  } catch {
    return [];
  }
};

/**
 * Begins to look; what it returns says which share of this machine's processors its host has taken
 * since: 0 where nobody can say.
 */
export const watchSteal = (): (() => number) => {
  const before = ticks();
  return () => {
    const passed = ticks().map((value, at) => value - (before[at] ?? 0));
    const all = passed.reduce((sum, value) => sum + value, 0);
    return all > 0 ? (passed[STEAL] ?? 0) / all : 0;
  };
};
