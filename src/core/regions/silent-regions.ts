/**
 * Which regions of a room an isolate cannot reach. A silence is forgotten with the first answer of any
 * lobby there: an object that fails alone the platform makes anew.
 */
import { BoundedMap } from "../collections/bounded-map.ts";
import { SECOND_MS } from "../time.ts";
import type { RoomAddress } from "./address.ts";
import type { Region } from "./region.ts";

/** After so long without an answer another region is asked in its place. */
const UNANSWERED_MS = 5 * SECOND_MS;
/** So often one call still goes to it, to see whether it answers again. */
const ASK_AGAIN_MS = 5 * SECOND_MS;
/** That it did not answer then says nothing of today. */
const FORGET_MS = 60 * SECOND_MS;
const REGIONS_MAX = 2_000;

export interface RegionOfRoom {
  /** The room's name, for people. */
  readonly room: string;
  readonly address: RoomAddress;
  readonly region: Region | null;
}

/** A region fell silent, or it answers again. */
export interface RegionNews extends RegionOfRoom {
  /** Null: nobody has answered for 5 s. */
  readonly silentMs: number | null;
}

/** Of a region that was asked, and has not answered since. */
interface Silence {
  /** When the first of those calls began. */
  readonly since: number;
  readonly askedAt: number;
  readonly askAgainAt: number;
  /** Since when it has been silent as it was told; null where nothing was told. */
  readonly toldSince: number | null;
}

export class SilentRegions {
  readonly #now: () => number;
  readonly #tell: (news: RegionNews) => void;
  readonly #silences = new BoundedMap<string, Silence | null>(REGIONS_MAX);

  /** `tell` hears of each silence once, and once of its end. */
  constructor(now: () => number, tell: (news: RegionNews) => void = () => undefined) {
    this.#now = now;
    this.#tell = tell;
  }

  /** Should another be asked? Now and then the answer is no, so that this one is tried: not where `mayTry` is false. */
  isSilent(region: RegionOfRoom, mayTry = true): boolean {
    const now = this.#now();
    const silence = this.#of(region, now);
    if (silence === null || now < silence.since + UNANSWERED_MS) return false;
    if (!mayTry || now < silence.askAgainAt) return true;
    const toldSince = silence.toldSince ?? silence.since;
    const askAgainAt = now + ASK_AGAIN_MS;
    this.#silences.set(keyOf(region), { ...silence, askAgainAt, toldSince });
    if (silence.toldSince === null) this.#tell({ ...region, silentMs: null });
    return silence.askAgainAt === 0;
  }

  asked(region: RegionOfRoom): void {
    const now = this.#now();
    const toldSince = this.#silences.get(keyOf(region))?.toldSince ?? null;
    const silence = this.#of(region, now) ?? { since: now, askAgainAt: 0, toldSince };
    this.#silences.set(keyOf(region), { ...silence, askedAt: now });
  }

  answered(region: RegionOfRoom): void {
    const toldSince = this.#silences.get(keyOf(region))?.toldSince ?? null;
    this.#silences.set(keyOf(region), null);
    if (toldSince !== null) this.#tell({ ...region, silentMs: this.#now() - toldSince });
  }

  #of(region: RegionOfRoom, now: number): Silence | null {
    const known = this.#silences.get(keyOf(region)) ?? null;
    return known !== null && now < known.askedAt + FORGET_MS ? known : null;
  }
}

const keyOf = ({ address, region }: RegionOfRoom): string => `${address} ${region}`;
