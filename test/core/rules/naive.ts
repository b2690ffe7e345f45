/** Random expressions, and a second opinion on each: worked out from its words, by plain JavaScript. */
import fc from "fast-check";
import { requestOf } from "./requests.ts";

export interface Case {
  readonly text: string;
  /** Of the case's request. */
  readonly holds: boolean;
}

interface Given {
  readonly path: string;
  readonly agent: string | null;
  readonly asn: number | null;
  readonly address: readonly [number, number, number, number];
}

const WORDS = ["", "a", "b", "ab", "ba", "/a", "/a/b", "/ab", "/A", "aba"];
const word = fc.constantFrom(...WORDS);
const byte = fc.constantFrom(0, 1, 10, 127, 128, 192, 255);

const given: fc.Arbitrary<Given> = fc.record({
  path: word.map((text) => `/${text}`.replace("//", "/")),
  agent: fc.option(word),
  asn: fc.option(fc.integer({ min: 0, max: 5 })),
  address: fc.tuple(byte, byte, byte, byte),
});

type Leaf = (given: Given) => Case;

const compare = (op: string, left: string | number, right: string | number): boolean => {
  if (op === "eq") return left === right;
  if (op === "ne") return left !== right;
  if (op === "lt") return left < right;
  if (op === "le") return !(left > right);
  return op === "gt" ? left > right : !(left < right);
};

const SIGNS: Readonly<Record<string, string>> = {
  ...{ eq: "==", ne: "!=", lt: "<", le: "<=", gt: ">", ge: ">=" },
};
const order = fc.constantFrom("eq", "ne", "lt", "le", "gt", "ge");

/** `*` by trying every length, one after the other. */
const globbed = (pattern: string, text: string): boolean => {
  if (pattern === "") return text === "";
  if (pattern[0] !== "*") return pattern[0] === text[0] && globbed(pattern.slice(1), text.slice(1));
  return Array.from({ length: text.length + 1 }, (_, cut) => text.slice(cut)).some((rest) =>
    globbed(pattern.slice(1), rest),
  );
};

const glob = fc
  .array(fc.constantFrom("/", "a", "b", "A", "*"), { maxLength: 6 })
  .map((parts) => parts.join("").replace(/\*+/g, "*"));

const leaves: fc.Arbitrary<Leaf> = fc.oneof(
  fc.tuple(order, word, fc.boolean()).map(([op, to, signed]): Leaf => ({ path }) => ({
    text: `http.request.uri.path ${signed ? SIGNS[op] : op} "${to}"`,
    holds: compare(op, path, to),
  })),
  fc.tuple(order, fc.integer({ min: -1, max: 6 })).map(([op, to]): Leaf => ({ asn }) => ({
    text: `ip.src.asnum ${op} ${to}`,
    holds: asn !== null && compare(op, asn, to),
  })),
  word.map((part): Leaf => ({ path }) => ({
    text: `http.request.uri.path contains "${part}"`,
    holds: path.split(part).length > 1 || part === "",
  })),
  fc.array(word, { minLength: 1, maxLength: 3 }).map((texts): Leaf => ({ path }) => ({
    text: `http.request.uri.path in {${texts.map((text) => `"${text}"`).join(" ")}}`,
    holds: texts.some((text) => text === path),
  })),
  fc.tuple(glob, fc.boolean()).map(([pattern, isStrict]): Leaf => ({ path }) => ({
    text: `http.request.uri.path ${isStrict ? "strict " : ""}wildcard "${pattern}"`,
    holds: isStrict ? globbed(pattern, path) : globbed(pattern.toLowerCase(), path.toLowerCase()),
  })),
  fc
    .tuple(byte, byte, fc.constantFrom(0, 1, 7, 8, 9, 16))
    .map(([first, second, length]): Leaf => ({ address }) => {
      const kept = ((first * 256 + second) >> (16 - length)) << (16 - length);
      const inside = (address[0] * 256 + address[1]) >> (16 - length) === kept >> (16 - length);
      return { text: `ip.src in {${kept >> 8}.${kept & 255}.0.0/${length}}`, holds: inside };
    }),
  fc.tuple(order, word).map(([op, to]): Leaf => ({ agent }) => ({
    text: `http.request.headers["user-agent"][0] ${op} "${to}"`,
    holds: agent !== null && compare(op, agent, to),
  })),
  word.map((start): Leaf => ({ path }) => ({
    text: `starts_with(lower(http.request.uri.path), "${start}")`,
    holds: path.toLowerCase().slice(0, start.length) === start,
  })),
  fc.constantFrom(true, false).map((holds): Leaf => () => ({ text: String(holds), holds })),
);

/** Operands and the operators between them, without brackets but for whole operands. */
const OPERATORS = [
  ["and", "&&"],
  ["xor", "^^"],
  ["or", "||"],
] as const;

/** By the table of Cloudflare's manual: all of one operator from the left, then all of the next. */
const reduced = (operands: readonly boolean[], operators: readonly string[]): boolean => {
  let [values, between] = [[...operands], [...operators]];
  for (const names of OPERATORS) {
    const nextValues = [values[0] as boolean];
    const nextBetween: string[] = [];
    for (const [index, operator] of between.entries()) {
      const right = values[index + 1] as boolean;
      const left = nextValues.at(-1) as boolean;
      if (!(names as readonly string[]).includes(operator)) {
        nextBetween.push(operator);
        nextValues.push(right);
      } else if (names[0] === "and") nextValues[nextValues.length - 1] = left && right;
      else if (names[0] === "or") nextValues[nextValues.length - 1] = left || right;
      else nextValues[nextValues.length - 1] = left !== right;
    }
    [values, between] = [nextValues, nextBetween];
  }
  return values[0] as boolean;
};

const { expression } = fc.letrec<{ expression: Leaf; operand: Leaf }>((tie) => ({
  operand: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaves,
    tie("expression").map((of): Leaf => (it) => ({ ...of(it), text: `(${of(it).text})` })),
    tie("operand").map((of): Leaf => (it) => {
      const { text, holds } = of(it);
      return { text: `not ${text}`, holds: !holds };
    }),
  ),
  expression: fc
    .array(fc.tuple(tie("operand"), fc.constantFrom(...OPERATORS.flat())), {
      minLength: 1,
      maxLength: 5,
    })
    .map((pairs): Leaf => (it) => {
      const operands = pairs.map(([operand]) => operand(it));
      const operators = pairs.slice(1).map(([, operator]) => operator);
      const text = operands
        .map((operand, index) =>
          index === 0 ? operand.text : `${operators[index - 1]} ${operand.text}`,
        )
        .join(" ");
      return {
        text,
        holds: reduced(
          operands.map(({ holds }) => holds),
          operators,
        ),
      };
    }),
}));

export const cases = fc.tuple(expression, given).map(([of, it]) => ({
  ...of(it),
  request: requestOf({
    url: `https://shop.example${it.path}`,
    address: it.address.join("."),
    headers: it.agent === null ? {} : { "User-Agent": it.agent },
    edge: it.asn === null ? {} : { asn: it.asn },
  }),
}));
