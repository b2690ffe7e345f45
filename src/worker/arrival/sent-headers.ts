/**
 * Headers as they were sent, by a client or by the origin, read once: each look at the runtime's own
 * costs as much as looking through all of these.
 */
import { LastMade } from "../../core/last-made.ts";

/** Lists of names that are remembered, with all that they begin with: those of a site's visitors are few. */
const LISTS_MAX = 4_000;
const NAME_LENGTH_MAX = 64;
/** Longer lists are nobody's but a stranger's, who could fill an isolate with them: they are not remembered. */
export const NAMES_MAX = 64;

/**
 * The names of some headers, as they were sent one after the other. Most requests send the same, and then
 * have the same list: what follows from the names alone needs to be worked out once.
 */
class NameList {
  /** The last one, and those before it. */
  readonly name: string;
  readonly before: NameList | null;
  readonly #length: number;
  readonly #isKept: boolean;
  /** What came after it last, and all that ever did. */
  #last: NameList | null = null;
  #next: Map<string, NameList> | null = null;
  #names: readonly string[] | null = null;
  #places: ReadonlyMap<string, number> | null = null;

  constructor(name: string, before: NameList | null, isKept = true) {
    this.name = name;
    this.before = before;
    this.#length = before === null ? 0 : before.#length + 1;
    this.#isKept = isKept;
  }

  /** This list and one more name. */
  with(name: string): NameList {
    const last = this.#last;
    if (last !== null && last.name === name) return last;
    const mayBeKept = name.length <= NAME_LENGTH_MAX && this.#length < NAMES_MAX;
    if (!this.#isKept || !mayBeKept) return new NameList(name, this, false);
    const list = this.#next?.get(name) ?? this.#add(name);
    this.#last = list;
    return list;
  }

  get names(): readonly string[] {
    return (this.#names ??= namesOf(this));
  }

  placeOf(name: string): number | undefined {
    this.#places ??= new Map(this.names.map((known, place) => [known, place]));
    return this.#places.get(name);
  }

  #add(name: string): NameList {
    const list = new NameList(name, this);
    listsKnown += 1;
    this.#next ??= new Map();
    this.#next.set(name, list);
    return list;
  }
}

const namesOf = (last: NameList): readonly string[] => {
  const names: string[] = [];
  for (let list = last; list.before !== null; list = list.before) names.push(list.name);
  return names.toReversed();
};

let none = new NameList("", null);
let listsKnown = 0;

/** No names yet. Who sends ever new ones makes all be forgotten, and no isolate grow. */
const noNames = (): NameList => {
  if (listsKnown < LISTS_MAX) return none;
  listsKnown = 0;
  none = new NameList("", null);
  return none;
};

const lastSent = new LastMade<SentHeaders>();

export class SentHeaders {
  readonly values: string[] = [];
  readonly #list: NameList;

  constructor(headers: Headers) {
    const { values } = this;
    let list = noNames();
    headers.forEach((value, name) => {
      list = list.with(name);
      values.push(value);
    });
    this.#list = list;
    lastSent.keep(this);
  }

  /** In lower case. Where the same are sent again, it is the same list. */
  get names(): readonly string[] {
    return this.#list.names;
  }

  /** `name` is in lower case. */
  get(name: string): string | null {
    const place = this.#list.placeOf(name);
    return place === undefined ? null : (this.values[place] ?? null);
  }
}
