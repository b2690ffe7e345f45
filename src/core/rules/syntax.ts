/** An expression as it was understood: every value with its type, every literal read. */
import type { AddressSet } from "./address-set.ts";
import type { Field } from "./fields.ts";
import type { FunctionName } from "./functions.ts";
import type { NumberSet } from "./number-set.ts";
import type { Wildcard } from "./wildcard.ts";

/** What a value is. */
export type ValueType =
  | "string"
  | "number"
  | "boolean"
  | "address"
  | { readonly arrayOf: ValueType }
  | { readonly mapOf: ValueType };

/** A value of the request. `each` stands for as many values as its array has elements. */
export type ValueNode =
  | { readonly kind: "field"; readonly field: Field; readonly type: ValueType }
  | { readonly kind: "literal"; readonly value: string | number; readonly type: ValueType }
  | {
      readonly kind: "element";
      readonly of: ValueNode;
      readonly at: string | number;
      readonly type: ValueType;
    }
  | { readonly kind: "each"; readonly of: ValueNode; readonly type: ValueType }
  | {
      readonly kind: "call";
      readonly name: FunctionName;
      readonly values: readonly ValueNode[];
      /** Called for each element of its first value: it gives an array. */
      readonly isMapped: boolean;
      readonly type: ValueType;
    };

export type Ordering = "eq" | "ne" | "lt" | "le" | "gt" | "ge";

/** What a value is held against. */
export type TestNode =
  | { readonly kind: "order"; readonly by: Ordering; readonly to: string | number }
  | { readonly kind: "address"; readonly isNot: boolean; readonly set: AddressSet }
  | { readonly kind: "contains"; readonly text: string }
  | { readonly kind: "one-of"; readonly texts: readonly string[] }
  | { readonly kind: "among"; readonly numbers: NumberSet }
  | { readonly kind: "wildcard"; readonly wildcard: Wildcard }
  | { readonly kind: "matches"; readonly pattern: string }
  | { readonly kind: "is-true" };

/** True or false, or, where `isEach`, that for every element of an array. */
export type ExpressionNode =
  | { readonly kind: "constant"; readonly holds: boolean; readonly isEach: false }
  | {
      readonly kind: "test";
      readonly value: ValueNode;
      readonly test: TestNode;
      readonly isEach: boolean;
    }
  | { readonly kind: "not"; readonly of: ExpressionNode; readonly isEach: boolean }
  | {
      readonly kind: "and" | "or" | "xor";
      readonly parts: readonly ExpressionNode[];
      readonly isEach: boolean;
    }
  | {
      readonly kind: "any" | "all";
      readonly of: ExpressionNode;
      readonly isEach: false;
    };

/** What is wrong with an expression, and at which column (from 1). */
export interface ExpressionProblem {
  readonly column: number;
  readonly message: string;
}
