import type { LockRule } from "../../core/locks/rule.ts";
import type { LockRules } from "./contract.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS rules_version (id INTEGER PRIMARY KEY CHECK (id = 0), version INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS rule (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    value TEXT NOT NULL
  );
`;

const BODY_DEFAULT_MS = 300_000;

/** Rules of earlier versions were written without these settings. The order is that of a new rule. */
const ruleOf = (value: string): LockRule => {
  const { createdAt, modifiedAt, ...rule } = JSON.parse(value) as LockRule;
  const { session = null, bodyMs = BODY_DEFAULT_MS } = rule as Partial<LockRule>;
  return { ...rule, session, bodyMs, createdAt, modifiedAt };
};

/** The lock rules of the deployment, in the order of their making. Each write raises the version. */
export class LockRulesStore {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  prepare(): void {
    this.#storage.sql.exec(SCHEMA).toArray();
  }

  load(): LockRules {
    const [version] = this.#storage.sql
      .exec<{ version: number }>("SELECT version FROM rules_version")
      .toArray();
    const rules = this.#storage.sql
      .exec<{ value: string }>("SELECT value FROM rule ORDER BY sequence")
      .toArray();
    return {
      version: version?.version ?? 0,
      rules: rules.map(({ value }) => ruleOf(value)),
    };
  }

  put(rule: LockRule): void {
    this.#write(
      `INSERT INTO rule (name, value) VALUES (?, ?)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      rule.name,
      JSON.stringify(rule),
    );
  }

  delete(name: string): void {
    this.#write("DELETE FROM rule WHERE name = ?", name);
  }

  #write(sql: string, ...bindings: SqlStorageValue[]): void {
    this.#storage.transactionSync(() => {
      this.#storage.sql.exec(sql, ...bindings).toArray();
      const raise = `INSERT INTO rules_version VALUES (0, 1)
        ON CONFLICT (id) DO UPDATE SET version = version + 1`;
      this.#storage.sql.exec(raise).toArray();
    });
  }
}
