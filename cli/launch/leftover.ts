import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, Failure } from "./failure.ts";
import { isAlive, isWorkerdOn, killNow } from "./processes.ts";

/** The workerd that writes to a data directory; outlives its launcher when that is killed. */
interface Writer {
  readonly pid: number;
  readonly port: number;
}

const GONE_WITHIN_MS = 2_000;
const fileIn = (dataDir: string): string => join(dataDir, "workerd.json");

/**
 * A full disk is no reason to stop: without the note this workerd is only not found if we are
 * killed.
 */
export const rememberWriter = (dataDir: string, writer: Writer): string | null => {
  try {
    writeFileSync(fileIn(dataDir), JSON.stringify([writer]));
    return null;
  } catch (thrown) {
    return `${fileIn(dataDir)} can't be written: ${describe(thrown)}`;
  }
};

export const forgetWriters = (dataDir: string): void => rmSync(fileIn(dataDir), { force: true });

/**
 * Ends what a killed launcher left running: beside a second workerd on the same objects there would
 * be two Rooms. A process id may have been given anew, so the process must also be a workerd on the
 * port that was noted.
 */
export const endLeftovers = async (dataDir: string): Promise<number> => {
  const leftovers = readWriters(dataDir).filter(({ pid, port }) => isWorkerdOn(pid, port));
  leftovers.forEach(({ pid }) => killNow(pid));
  const giveUpAtMs = performance.now() + GONE_WITHIN_MS;
  while (leftovers.some(({ pid }) => isAlive(pid))) {
    if (performance.now() > giveUpAtMs)
      throw new Failure("leftover", "a workerd of a killed launcher does not end", [
        `end these processes: ${leftovers.map(({ pid }) => pid).join(", ")}`,
      ]);
    await sleep(20);
  }
  return leftovers.length;
};

const readWriters = (dataDir: string): readonly Writer[] => {
  try {
    const writers: unknown = JSON.parse(readFileSync(fileIn(dataDir), "utf8"));
    return Array.isArray(writers) ? (writers as Writer[]).filter(isWriter) : [];
  } catch {
    return [];
  }
};

const isWriter = (value: Writer | null): boolean =>
  Number.isInteger(value?.pid) && Number.isInteger(value?.port);
