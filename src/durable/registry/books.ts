/** What the Registry knows, and how it is written: in one transaction with its entry of the audit log. */
import { AUDIT_ENTRIES_MAX, type AuditAct, type Author } from "../../core/audit/entry.ts";
import type { InstantMs } from "../../core/time.ts";
import type { Definitions } from "../contract.ts";
import { AuditLog, type HearsOfEntries } from "./audit-log.ts";
import { RegistryStore } from "./store.ts";
import { Tokens } from "./tokens.ts";
import { ZoneSettingsStore } from "./zone-settings.ts";

export class Books {
  readonly store: RegistryStore;
  readonly settings: ZoneSettingsStore;
  readonly tokens: Tokens;
  readonly audit: AuditLog;
  /** What the tables say, until something writes. */
  #known: Definitions | null = null;

  constructor(storage: DurableObjectStorage, hearsOfEntries: HearsOfEntries) {
    this.store = new RegistryStore(storage);
    this.settings = new ZoneSettingsStore(storage);
    this.tokens = new Tokens(storage);
    this.audit = new AuditLog(storage, AUDIT_ENTRIES_MAX, hearsOfEntries);
  }

  known(): Definitions {
    this.#known ??= {
      version: this.store.version(),
      rooms: this.store.rooms(),
      keys: this.store.keys(),
      settings: this.settings.read(),
      tokens: this.tokens.all(),
    };
    return this.#known;
  }

  /** One transaction; then nothing is known but what the tables say. */
  write(writes: () => void): void {
    try {
      this.store.atomically(writes);
    } finally {
      this.#known = null;
    }
  }

  /** The same, of what every isolate is to hear. */
  publish(writes: () => void): void {
    this.write(() => {
      writes();
      this.store.raiseVersion();
    });
  }

  /** Within the transaction of the change. What nobody ordered is no entry. */
  enter(by: Author | undefined, now: InstantMs, act: () => AuditAct): void {
    if (by !== undefined) this.audit.enter(act(), by, now);
  }
}
