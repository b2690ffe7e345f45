import type { Field } from "./fields.ts";
import type { ExpressionNode, ValueNode } from "./syntax.ts";

/** What an expression asks of a request. */
export const fieldsAsked = (expression: ExpressionNode): readonly Field[] => {
  switch (expression.kind) {
    case "constant":
      return [];
    case "test":
      return fieldsOfValue(expression.value);
    case "not":
    case "any":
    case "all":
      return fieldsAsked(expression.of);
    case "and":
    case "or":
    case "xor":
      return expression.parts.flatMap(fieldsAsked);
    default:
      return expression satisfies never;
  }
};

export const fieldsOfValue = (value: ValueNode): readonly Field[] => {
  switch (value.kind) {
    case "field":
      return [value.field];
    case "literal":
      return [];
    case "each":
    case "element":
      return fieldsOfValue(value.of);
    case "call":
      return value.values.flatMap(fieldsOfValue);
    default:
      return value satisfies never;
  }
};
