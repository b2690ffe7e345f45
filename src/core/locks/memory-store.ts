import { plainCopy } from "../plain-copy.ts";
import type { AnswerContent, AnswerRecord, RetainedCount } from "./answers.ts";
import type { Holder } from "./lock.ts";
import type { LockName } from "./name.ts";
import type {
  StoredLocksChange,
  LocksHead,
  LocksStore,
  StoredAnswer,
  StoredLocks,
} from "./stored.ts";

/** A shard's rows in memory: for tests and simulations, under the same contract as SQLite's. */
export class MemoryLocksStore implements LocksStore {
  #head: LocksHead | null = null;
  readonly #locks = new Map<LockName, Holder>();
  readonly #moved = new Set<number>();
  readonly #answers = new Map<LockName, StoredAnswer>();

  load(): StoredLocks {
    const stocks = new Map<string, RetainedCount>();
    for (const { record } of this.#answers.values()) {
      const { until, client, bytes } = record;
      const before = stocks.get(`${until} ${client}`) ?? { count: 0, bytes: 0 };
      const stock = { until, client, count: before.count + 1, bytes: before.bytes + bytes };
      stocks.set(`${until} ${client}`, stock);
    }
    return plainCopy({
      head: this.#head,
      holders: [...this.#locks.values()],
      stocks: [...stocks.values()],
      moved: [...this.#moved],
    });
  }

  write(changes: readonly StoredLocksChange[]): void {
    for (const change of plainCopy(changes)) {
      if ("put" in change) this.#put(change);
      else this.#drop(change);
    }
  }

  record(name: LockName): AnswerRecord | null {
    return plainCopy(this.#answers.get(name)?.record ?? null);
  }

  content(name: LockName): AnswerContent | null {
    return plainCopy(this.#answers.get(name)?.content ?? null);
  }

  answers(): readonly StoredAnswer[] {
    return plainCopy([...this.#answers.values()]);
  }

  #put(change: Extract<StoredLocksChange, { put: string }>): void {
    switch (change.put) {
      case "head":
        this.#head = change.head;
        return;
      case "lock":
        this.#locks.set(change.holder.name, change.holder);
        return;
      case "answer": {
        const { record, content } = change;
        this.#answers.set(record.name, { record, content });
        return;
      }
      case "moved":
        this.#moved.add(change.shard);
        return;
      default:
        change satisfies never;
    }
  }

  #drop(change: Extract<StoredLocksChange, { drop: string }>): void {
    switch (change.drop) {
      case "lock":
        this.#locks.delete(change.name);
        return;
      case "answer":
        this.#answers.delete(change.name);
        return;
      case "answers":
        for (const [name, { record }] of this.#answers)
          if (record.until <= change.until) this.#answers.delete(name);
        return;
      default:
        change satisfies never;
    }
  }
}
