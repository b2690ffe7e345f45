/**
 * Reads the part of GraphQL (https://spec.graphql.org/October2021/) that queries for figures are
 * written in: operations with variables, fields with aliases and arguments. No fragments and no
 * directives. Values of variables are put in where they stand.
 */

export type ArgumentValue =
  | string
  | number
  | boolean
  | null
  | readonly ArgumentValue[]
  | { readonly [name: string]: ArgumentValue };

export interface Selection {
  /** What the answer calls it. */
  readonly key: string;
  readonly name: string;
  readonly args: Readonly<Record<string, ArgumentValue>>;
  /** Null where it selects nothing below. */
  readonly fields: readonly Selection[] | null;
}

interface Operation {
  readonly name: string | null;
  readonly fields: readonly Selection[];
}

/** What is wrong with a document, and where: lines and columns from 1. */
export class GraphQLFault extends Error {
  override readonly name = "GraphQLFault";
  readonly line: number | null;
  readonly column: number | null;

  constructor(message: string, at: { line: number; column: number } | null = null) {
    super(message);
    this.line = at?.line ?? null;
    this.column = at?.column ?? null;
  }
}

const TEXT_MAX = 16_384;
const DEPTH_MAX = 12;
const FIELDS_MAX = 400;

/** The fields of the operation that is asked for. */
export const readQuery = (
  text: string,
  variables: Readonly<Record<string, ArgumentValue>>,
  operationName: string | null,
): readonly Selection[] => {
  if (text.length > TEXT_MAX)
    throw new GraphQLFault(`the query may have at most ${TEXT_MAX} characters`);
  const operations = new Reader(text, variables).document();
  const named = operations.filter(({ name }) => operationName === null || name === operationName);
  const [operation, other] = named;
  if (operation === undefined) throw new GraphQLFault(`there is no operation ${operationName}`);
  if (other !== undefined) throw new GraphQLFault("operationName must name one of the operations");
  return operation.fields;
};

interface Token {
  readonly kind: "name" | "number" | "string" | "mark" | "end";
  readonly text: string;
  readonly at: number;
}

const TOKEN =
  /(?<skip>[\s,\uFEFF]+|#[^\n\r]*)|(?<name>[_A-Za-z]\w*)|(?<number>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.]))|(?<string>"(?!"")(?:[^"\\\n\r]|\\.)*")|(?<mark>\.\.\.|[!$&():=@[\]{}|])/y;

class Reader {
  readonly #text: string;
  readonly #given: Readonly<Record<string, ArgumentValue>>;
  #variables = new Map<string, ArgumentValue>();
  #token: Token = { kind: "end", text: "", at: 0 };
  #next = 0;
  #fields = 0;

  constructor(text: string, variables: Readonly<Record<string, ArgumentValue>>) {
    this.#text = text;
    this.#given = variables;
    this.#advance();
  }

  document(): readonly Operation[] {
    const operations: Operation[] = [];
    while (this.#token.kind !== "end") operations.push(this.#operation());
    if (operations.length === 0) throw this.#fault("there is no query");
    return operations;
  }

  #operation(): Operation {
    this.#variables = new Map();
    if (this.#isMark("{")) return { name: null, fields: this.#selections(1) };
    if (this.#token.text !== "query")
      throw this.#fault(`expected query, found ${this.#found()}: nothing else is answered here`);
    this.#advance();
    const name = this.#token.kind === "name" ? this.#name() : null;
    if (this.#take("(")) while (!this.#take(")")) this.#variable();
    return { name, fields: this.#selections(1) };
  }

  #variable(): void {
    this.#expect("$");
    const name = this.#name();
    this.#expect(":");
    const isRequired = this.#type();
    const standIn = this.#take("=") ? this.#value(1) : null;
    const given = Object.hasOwn(this.#given, name) ? this.#given[name] : undefined;
    const value = given ?? standIn;
    if (isRequired && value === null) throw this.#fault(`the variable $${name} has no value`);
    this.#variables.set(name, value);
  }

  /** Types are for the reader: what a value has to be is said by where it stands. */
  #type(): boolean {
    if (this.#take("[")) {
      this.#type();
      this.#expect("]");
    } else this.#name();
    return this.#take("!");
  }

  #selections(depth: number): readonly Selection[] {
    if (depth > DEPTH_MAX) throw this.#fault(`the query is deeper than ${DEPTH_MAX}`);
    this.#expect("{");
    const fields: Selection[] = [];
    while (!this.#take("}")) fields.push(this.#field(depth));
    if (fields.length === 0) throw this.#fault("nothing is selected");
    return merged(fields);
  }

  #field(depth: number): Selection {
    this.#fields += 1;
    if (this.#fields > FIELDS_MAX) throw this.#fault(`there are more than ${FIELDS_MAX} fields`);
    if (this.#isMark("...")) throw this.#fault("fragments are not answered here");
    const first = this.#name();
    const name = this.#take(":") ? this.#name() : first;
    const args: Record<string, ArgumentValue> = {};
    if (this.#take("("))
      while (!this.#take(")")) {
        const argument = this.#name();
        this.#expect(":");
        if (Object.hasOwn(args, argument)) throw this.#fault(`${argument} is there twice`);
        set(args, argument, this.#value(1));
      }
    if (this.#isMark("@")) throw this.#fault("directives are not answered here");
    const fields = this.#isMark("{") ? this.#selections(depth + 1) : null;
    return { key: first, name, args, fields };
  }

  #value(depth: number): ArgumentValue {
    if (depth > DEPTH_MAX) throw this.#fault(`a value is deeper than ${DEPTH_MAX}`);
    const { kind, text } = this.#token;
    if (kind === "number") return this.#taken(Number(text));
    if (kind === "string") return this.#taken(this.#string(text));
    if (kind === "name") return this.#taken(WORDS.has(text) ? (WORDS.get(text) ?? null) : text);
    if (this.#take("$")) return this.#variableValue();
    if (this.#take("[")) {
      const list: ArgumentValue[] = [];
      while (!this.#take("]")) list.push(this.#value(depth + 1));
      return list;
    }
    if (!this.#take("{")) throw this.#fault(`expected a value, found ${this.#found()}`);
    const object: Record<string, ArgumentValue> = {};
    while (!this.#take("}")) {
      const name = this.#name();
      this.#expect(":");
      set(object, name, this.#value(depth + 1));
    }
    return object;
  }

  #variableValue(): ArgumentValue {
    const name = this.#name();
    const value = this.#variables.get(name);
    if (value === undefined) throw this.#fault(`there is no variable $${name}`);
    return value;
  }

  /** GraphQL's escapes are JSON's. */
  #string(text: string): string {
    try {
      return String(JSON.parse(text));
    } catch {
      throw this.#fault(`${text} is no string`);
    }
  }

  #name(): string {
    if (this.#token.kind !== "name") throw this.#fault(`expected a name, found ${this.#found()}`);
    return this.#taken(this.#token.text);
  }

  #isMark(mark: string): boolean {
    return this.#token.kind === "mark" && this.#token.text === mark;
  }

  #take(mark: string): boolean {
    if (!this.#isMark(mark)) return false;
    this.#advance();
    return true;
  }

  #expect(mark: string): void {
    if (!this.#take(mark)) throw this.#fault(`expected ${mark}, found ${this.#found()}`);
  }

  #taken<T>(value: T): T {
    this.#advance();
    return value;
  }

  #advance(): void {
    for (;;) {
      const at = this.#next;
      if (at >= this.#text.length) {
        this.#token = { kind: "end", text: "", at };
        return;
      }
      TOKEN.lastIndex = at;
      const groups = TOKEN.exec(this.#text)?.groups;
      if (groups === undefined) {
        this.#token = { kind: "mark", text: this.#text[at] ?? "", at };
        throw this.#fault(`cannot read ${JSON.stringify(this.#text.slice(at, at + 12))}`);
      }
      this.#next = TOKEN.lastIndex;
      if (groups["skip"] !== undefined) continue;
      for (const kind of ["name", "number", "string", "mark"] as const) {
        const text = groups[kind];
        if (text !== undefined) this.#token = { kind, text, at };
      }
      return;
    }
  }

  #found(): string {
    return this.#token.kind === "end" ? "the end" : this.#token.text.slice(0, 40);
  }

  #fault(message: string): GraphQLFault {
    const before = this.#text.slice(0, this.#token.at).split(/\r\n|[\n\r]/);
    const column = (before.at(-1)?.length ?? 0) + 1;
    return new GraphQLFault(message, { line: before.length, column });
  }
}

const WORDS = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** A name such as `__proto__` is a name like any other. */
const set = (object: Record<string, ArgumentValue>, name: string, value: ArgumentValue): void => {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true });
};

/** A field that is selected twice in one place is one, with what both select below. */
const merged = (fields: readonly Selection[]): readonly Selection[] => {
  const byKey = new Map<string, Selection>();
  for (const field of fields) {
    const before = byKey.get(field.key);
    if (before === undefined) byKey.set(field.key, field);
    else byKey.set(field.key, mergedPair(before, field));
  }
  return [...byKey.values()];
};

const mergedPair = (one: Selection, other: Selection): Selection => {
  if (one.name !== other.name || JSON.stringify(one.args) !== JSON.stringify(other.args))
    throw new GraphQLFault(`${one.key} stands for two things: give one of them an alias`);
  const both = [...(one.fields ?? []), ...(other.fields ?? [])];
  return { ...one, fields: one.fields === null && other.fields === null ? null : merged(both) };
};
