import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "./failure.ts";
import { OBJECTS_DIR } from "./runtime.ts";

/**
 * For the owner alone: the signing keys lie in the directory, and with them anybody could make
 * passes.
 */
const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;
const OTHERS = 0o077;
const STICKY = 0o1000;

/** What we and workerd make in a data directory, and what older versions made (`cache`). */
const OURS: ReadonlySet<string> = new Set([
  "cache",
  OBJECTS_DIR,
  "workerd",
  "workerd.json",
  "owner.sock",
]);

/**
 * Makes the directory, or mends one that an older version left open to others. Of one that holds
 * other things as well only our part is closed. False: somebody else can still read it.
 */
export const makePrivateDir = (directory: string): boolean => {
  mkdirSync(directory, { recursive: true, mode: DIRECTORY_MODE });
  if (process.platform === "win32") return true;
  if ((statSync(directory).mode & STICKY) !== 0)
    throw new Failure("data", `${directory} belongs to everybody on this machine`, [
      "give this one a place of its own with --data DIR",
    ]);
  const objects = join(directory, OBJECTS_DIR);
  mkdirSync(objects, { recursive: true, mode: DIRECTORY_MODE });
  const entries = readdirSync(directory);
  try {
    if (entries.every((name) => OURS.has(name))) chmodSync(directory, DIRECTORY_MODE);
    for (const name of entries) if (OURS.has(name)) closeToOthers(join(directory, name));
  } catch {
    // Another user's, or a file system without modes: the mode is read again below.
  }
  return (statSync(objects).mode & OTHERS) === 0;
};

const closeToOthers = (path: string): void => {
  const entry = lstatSync(path);
  const isOpen = (entry.mode & OTHERS) !== 0;
  if (entry.isDirectory()) {
    if (isOpen) chmodSync(path, DIRECTORY_MODE);
    for (const name of readdirSync(path)) closeToOthers(join(path, name));
  } else if (isOpen && entry.isFile()) chmodSync(path, FILE_MODE);
};
