/** Fields, their elements, and calls of functions. */
import { FIELDS } from "./fields.ts";
import { FUNCTIONS, functionNamed, kindOf, type FunctionName } from "./functions.ts";
import { readNumber, readTextLiteral } from "./literals.ts";
import type { Scanner } from "./scanner.ts";
import type { ValueNode, ValueType } from "./syntax.ts";

/** Parentheses, negations and calls within each other. */
export const DEPTH_MAX = 32;

export class Depth {
  #depth = 0;

  within<T>(scanner: Scanner, read: () => T): T {
    if (this.#depth >= DEPTH_MAX) scanner.fail(`nothing deeper than ${DEPTH_MAX} levels`);
    this.#depth += 1;
    const result = read();
    this.#depth -= 1;
    return result;
  }
}

export const readValue = (scanner: Scanner, depth: Depth): ValueNode => {
  const word = scanner.peekWord();
  const name = functionNamed(word);
  const value = name === null ? readField(scanner, word) : readCall(scanner, depth, name);
  return readElements(scanner, value);
};

const readField = (scanner: Scanner, word: string): ValueNode => {
  const field = FIELDS.get(word);
  if (field === undefined) return scanner.fail("a field such as http.request.uri.path");
  scanner.at += word.length;
  return { kind: "field", field, type: field.type };
};

const readElements = (scanner: Scanner, whole: ValueNode): ValueNode => {
  let value = whole;
  while (value.kind !== "each" && scanner.takes("[")) {
    value = readElement(scanner, value);
    if (!scanner.takes("]")) scanner.fail("]");
  }
  return value;
};

const readElement = (scanner: Scanner, of: ValueNode): ValueNode => {
  const { type } = of;
  if (typeof type === "string") return scanner.failAt(scanner.at - 1, `a ${type} has no elements`);
  if ("mapOf" in type) return { kind: "element", of, at: readKey(scanner, of), type: type.mapOf };
  if (scanner.takes("*")) return { kind: "each", of, type: type.arrayOf };
  scanner.skipSpace();
  const start = scanner.at;
  const at = readNumber(scanner);
  if (at < 0) scanner.failAt(start, "expected 0 for the first element, or * for each");
  return { kind: "element", of, at, type: type.arrayOf };
};

/** Names of headers come in lower case, as Cloudflare has them. */
const readKey = (scanner: Scanner, of: ValueNode): string => {
  scanner.skipSpace();
  const start = scanner.at;
  if (!scanner.isAtText) scanner.fail('a name in quotes such as "accept"');
  const key = readTextLiteral(scanner);
  const isHeader = of.kind === "field" && of.field.name === "http.request.headers";
  if (isHeader && key !== key.toLowerCase())
    scanner.failAt(start, "expected the name of a header in lower case");
  return key;
};

const readCall = (scanner: Scanner, depth: Depth, name: FunctionName): ValueNode => {
  scanner.at += name.length;
  const shape = FUNCTIONS.get(name);
  if (shape === undefined || !scanner.takes("(")) return scanner.fail(`( after ${name}`);
  const values: ValueNode[] = [];
  depth.within(scanner, () => {
    do {
      if (values.length >= shape.most) scanner.fail(`) after ${counted(shape.most)}`);
      values.push(readArgument(scanner, depth, name, values.length));
    } while (scanner.takes(","));
  });
  if (values.length < shape.least) scanner.fail(`, and ${counted(shape.least)} in all`);
  if (!scanner.takes(")")) scanner.fail(values.length < shape.most ? ") or ," : ")");
  const isMapped = values[0]?.kind === "each";
  const type: ValueType = isMapped ? { arrayOf: shape.gives } : shape.gives;
  return { kind: "call", name, values, isMapped, type };
};

const counted = (count: number): string => (count === 1 ? "one value" : `${count} values`);

const readArgument = (
  scanner: Scanner,
  depth: Depth,
  name: FunctionName,
  place: number,
): ValueNode => {
  scanner.skipSpace();
  const start = scanner.at;
  const value = readAny(scanner, depth);
  const { takes } = FUNCTIONS.get(name) ?? { takes: [] };
  const kinds: readonly string[] = takes[Math.min(place, takes.length - 1)] ?? [];
  if (!kinds.includes(kindOf(value.type)))
    scanner.failAt(start, `expected a ${kinds.join(" or ")} here, found a ${kindOf(value.type)}`);
  if (value.kind === "each" && place > 0)
    scanner.failAt(start, "expected [*] in the first value of a function only");
  return value;
};

const readAny = (scanner: Scanner, depth: Depth): ValueNode => {
  if (scanner.isAtText) return { kind: "literal", value: readTextLiteral(scanner), type: "string" };
  if (/[-\d]/.test(scanner.text[scanner.at] ?? ""))
    return { kind: "literal", value: readNumber(scanner), type: "number" };
  return readValue(scanner, depth);
};
