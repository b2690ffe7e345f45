import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

/** Linux keeps what is written here in memory. */
const IN_MEMORY = "/dev/shm";
const NAME = "seiriken-tests-";
const LEFT = /^seiriken-tests-(\d+)-/;
/** Longer than a run takes. */
const LEFT_AFTER_MS = 6 * 3_600_000;
const GIB = 2 ** 30;
/** A whole run has 70 MB there at most. */
const ROOM_LEAST = GIB / 2;
/** Browsers and servers need the rest of it. */
const FREE_MEMORY_LEAST = 4 * GIB;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "EPERM";
  }
};

/** What this user's runs left that were killed: only what is old, as another container's processes have numbers of its own. */
const removeLeft = (): void => {
  for (const name of readdirSync(IN_MEMORY)) {
    const [, pid] = LEFT.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = join(IN_MEMORY, name);
    const { uid, mtimeMs } = statSync(folder);
    if (uid === process.getuid?.() && Date.now() - mtimeMs > LEFT_AFTER_MS)
      rmSync(folder, { recursive: true, force: true });
  }
};

/** Not everywhere: containers often forbid it, and tests start programs that they installed. */
const canRunPrograms = (folder: string): boolean => {
  const program = join(folder, "program.sh");
  writeFileSync(program, "#!/bin/sh\nexit 7\n", { mode: 0o700 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 7;
};

const inMemory = (): string | null => {
  try {
    removeLeft();
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    if (bavail * bsize < ROOM_LEAST || freemem() < FREE_MEMORY_LEAST) return null;
    const folder = mkdtempSync(join(IN_MEMORY, `${NAME}${process.pid}-`));
    if (canRunPrograms(folder)) return folder;
    rmSync(folder, { recursive: true });
    return null;
  } catch {
    return null;
  }
};

/**
 * A folder for what tests write, gone when this process ends. In memory where there is enough of it:
 * each write of an object waits for its disk, so that a slow one makes every test slow, and what a
 * test then says of time is the disk's. A power cut would tell the difference, `kill -9` does not.
 * A `TMPDIR` other than `/tmp` is where its owner wants them, and long runs, which measure, write to the disk.
 */
export const makeTestFolder = ({ mayBeMemory }: { readonly mayBeMemory: boolean }): string => {
  const isChosen = (process.env["TMPDIR"] ?? "/tmp") !== "/tmp";
  const folder =
    (isChosen || !mayBeMemory ? null : inMemory()) ?? mkdtempSync(join(tmpdir(), NAME));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  return folder;
};
