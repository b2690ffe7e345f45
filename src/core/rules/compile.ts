/** An expression as functions, made once. A value that a request does not have passes no test. */
import { Pattern } from "../patterns/pattern.ts";
import type { Steps } from "../patterns/steps.ts";
import type { IpAddress } from "../address/ip-address.ts";
import type { FieldValue, RuleRequest, TextMap } from "./fields.ts";
import { fieldsOfValue } from "./fields-asked.ts";
import { FUNCTIONS } from "./functions.ts";
import type { ExpressionNode, Ordering, TestNode, ValueNode } from "./syntax.ts";
import { foldCase, matchesWildcard } from "./wildcard.ts";

export type Decides = (request: RuleRequest, steps: Steps) => boolean;
/** Nothing where the array is missing. */
type DecidesEach = (request: RuleRequest, steps: Steps) => readonly boolean[] | undefined;
type Reads = (request: RuleRequest) => FieldValue | undefined;
type Passes = (value: FieldValue, steps: Steps) => boolean;

/** `foldsPaths`: what is asked of a path takes letters in either case. */
interface Options {
  readonly foldsPaths: boolean;
}

export const compileExpression = (
  expression: ExpressionNode,
  options: Options = { foldsPaths: false },
): Decides => {
  switch (expression.kind) {
    case "constant":
      return () => expression.holds;
    case "test":
      return compileTest(expression, options);
    case "not": {
      const of = compileExpression(expression.of, options);
      return (request, steps) => !of(request, steps);
    }
    case "and": {
      const parts = expression.parts.map((part) => compileExpression(part, options));
      return (request, steps) => parts.every((part) => part(request, steps));
    }
    case "or": {
      const parts = expression.parts.map((part) => compileExpression(part, options));
      return (request, steps) => parts.some((part) => part(request, steps));
    }
    case "xor": {
      const parts = expression.parts.map((part) => compileExpression(part, options));
      return (request, steps) => parts.filter((part) => part(request, steps)).length % 2 === 1;
    }
    case "any": {
      const each = compileEach(expression.of, options);
      return (request, steps) => each(request, steps)?.includes(true) ?? false;
    }
    case "all": {
      const each = compileEach(expression.of, options);
      return (request, steps) => each(request, steps)?.every(Boolean) ?? false;
    }
    default:
      return expression satisfies never;
  }
};

const compileTest = (
  { value, test }: Extract<ExpressionNode, { kind: "test" }>,
  options: Options,
): Decides => {
  const read = compileValue(value, options);
  const passes = compileAgainst(test, foldsHere(value, options));
  return (request, steps) => {
    const given = read(request);
    return given !== undefined && passes(given, steps);
  };
};

const compileEach = (expression: ExpressionNode, options: Options): DecidesEach => {
  switch (expression.kind) {
    case "test": {
      const read = compileValue(expression.value, options);
      const passes = compileAgainst(expression.test, foldsHere(expression.value, options));
      return (request, steps) =>
        (read(request) as readonly FieldValue[] | undefined)?.map((value) => passes(value, steps));
    }
    case "not": {
      const of = compileEach(expression.of, options);
      return (request, steps) => of(request, steps)?.map((holds) => !holds);
    }
    case "and":
    case "or":
    case "xor": {
      const { kind } = expression;
      const parts = expression.parts.map((part) => compileEach(part, options));
      return (request, steps) =>
        parts.map((part) => part(request, steps)).reduce((one, other) => joined(kind, one, other));
    }
    case "any":
    case "all":
    case "constant":
      throw new Error("an expression that is one truth stands where one for each element must");
    default:
      return expression satisfies never;
  }
};

/** Combines two arrays element by element, up to the end of the shorter. */
const joined = (
  kind: "and" | "or" | "xor",
  one: readonly boolean[] | undefined,
  other: readonly boolean[] | undefined,
): readonly boolean[] | undefined => {
  if (one === undefined || other === undefined) return undefined;
  const count = Math.min(one.length, other.length);
  return Array.from({ length: count }, (_, index) => {
    const [left, right] = [one[index] === true, other[index] === true];
    if (kind === "xor") return left !== right;
    return kind === "and" ? left && right : left || right;
  });
};

/** For what stands for each element: the array of all of them. */
const compileValue = (value: ValueNode, options: Options): Reads => {
  switch (value.kind) {
    case "field":
      return value.field.read;
    case "literal":
      return () => value.value;
    case "each":
      return compileValue(value.of, options);
    case "element":
      return compileElement(value, options);
    case "call":
      return compileCall(value, options);
    default:
      return value satisfies never;
  }
};

const compileElement = (
  { of, at }: Extract<ValueNode, { kind: "element" }>,
  options: Options,
): Reads => {
  const read = compileValue(of, options);
  if (typeof at === "string") return (request) => (read(request) as TextMap | undefined)?.get(at);
  return (request) => (read(request) as readonly FieldValue[] | undefined)?.[at];
};

const compileCall = (call: Extract<ValueNode, { kind: "call" }>, options: Options): Reads => {
  const shape = FUNCTIONS.get(call.name);
  if (shape === undefined) throw new Error(`there is no function ${call.name}`);
  const folds = foldsHere(call, options);
  const reads = call.values.map((value) => {
    const read = compileValue(value, options);
    return folds ? (request: RuleRequest) => folded(read(request)) : read;
  });
  return (request) => {
    const values: FieldValue[] = [];
    for (const read of reads) {
      const value = read(request);
      if (value === undefined) return undefined;
      values.push(value);
    }
    if (!call.isMapped) return shape.call(values);
    const [first, ...rest] = values;
    return (first as readonly FieldValue[]).flatMap((one) => shape.call([one, ...rest]) ?? []);
  };
};

const folded = (value: FieldValue | undefined): FieldValue | undefined =>
  typeof value === "string" ? foldCase(value) : value;

const compileAgainst = (test: TestNode, folds: boolean): Passes => {
  const passes = compileExact(test, folds);
  return folds ? (value, steps) => passes(folded(value) ?? "", steps) : passes;
};

const compileExact = (test: TestNode, folds: boolean): Passes => {
  const spelled = (text: string): string => (folds ? foldCase(text) : text);
  switch (test.kind) {
    case "is-true":
      return (value) => value === true;
    case "order": {
      const to = typeof test.to === "string" ? spelled(test.to) : test.to;
      return (value) => isOrdered(test.by, value as string | number, to);
    }
    case "address":
      return (value) => test.set.has(value as IpAddress) !== test.isNot;
    case "contains": {
      const text = spelled(test.text);
      return (value) => (value as string).includes(text);
    }
    case "one-of": {
      const texts = new Set(test.texts.map(spelled));
      return (value) => texts.has(value as string);
    }
    case "among":
      return (value) => test.numbers.has(value as number);
    case "wildcard": {
      const { parts, isStrict } = test.wildcard;
      const wildcard = { parts: parts.map(spelled), isStrict: isStrict && !folds };
      return (value) => matchesWildcard(wildcard, value as string);
    }
    case "matches": {
      const pattern = new Pattern(test.pattern, folds);
      return (value, steps) => pattern.isIn(value as string, steps);
    }
    default:
      return test satisfies never;
  }
};

const isOrdered = (by: Ordering, value: string | number, to: string | number): boolean => {
  switch (by) {
    case "eq":
      return value === to;
    case "ne":
      return value !== to;
    case "lt":
      return value < to;
    case "le":
      return value <= to;
    case "gt":
      return value > to;
    case "ge":
      return value >= to;
    default:
      return by satisfies never;
  }
};

const foldsHere = (value: ValueNode, { foldsPaths }: Options): boolean =>
  foldsPaths && fieldsOfValue(value).some(({ isOfPath }) => isOfPath);
