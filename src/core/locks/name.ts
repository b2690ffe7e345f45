import type { Brand } from "../brand.ts";

/** Whose keys they are: 1 to 256 bytes of UTF-8, no control characters. */
export type Namespace = Brand<string, "Namespace">;
/** What is locked, within a namespace; of the same form. */
export type LockKey = Brand<string, "LockKey">;
/** Namespace and key in one text. */
export type LockName = Brand<string, "LockName">;

export const NAME_BYTES_MAX = 256;
/** For ever: another number would move keys to other shards, and so lower their fences. */
export const SHARDS = 64;
/**
 * The object that keeps all shards together where all objects share one machine: there they would only
 * wait for one another's disk. The shards come to it one by one, with all they have (moving.ts).
 */
export const ALL_SHARDS = "all";
/** Between namespace and key; neither can hold it. */
const SEPARATOR = "\n";

const utf8 = new TextEncoder();

const isNamePart = (value: unknown): value is string =>
  typeof value === "string" &&
  value.length > 0 &&
  value.length <= NAME_BYTES_MAX &&
  (isPlain(value) || isOtherwiseRight(value));

/** Most names are: visible ASCII takes a byte each. */
const isPlain = (value: string): boolean => /^[ -~]*$/.test(value);

const isOtherwiseRight = (value: string): boolean =>
  !/[\p{Cc}\p{Cs}]/u.test(value) && utf8.encode(value).length <= NAME_BYTES_MAX;

export const parseNamespace = (value: unknown): Namespace | null =>
  isNamePart(value) ? (value as Namespace) : null;

export const parseLockKey = (value: unknown): LockKey | null =>
  isNamePart(value) ? (value as LockKey) : null;

export const lockName = (namespace: Namespace, key: LockKey): LockName =>
  `${namespace}${SEPARATOR}${key}` as LockName;

export const namespaceOf = (name: LockName): Namespace =>
  name.slice(0, name.indexOf(SEPARATOR)) as Namespace;

export const keyOf = (name: LockName): LockKey =>
  name.slice(name.indexOf(SEPARATOR) + 1) as LockKey;

/**
 * The shard that owns a lock, from 0 up: FNV-1a (32 bits) over the name's UTF-8, mixed as
 * MurmurHash3 ends, modulo 64. Part of the contract: every version must find the same.
 */
export const shardOf = (name: LockName): number => {
  let hash = 0x811c9dc5;
  for (const byte of utf8.encode(name)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % SHARDS;
};
