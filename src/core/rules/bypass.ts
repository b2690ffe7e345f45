/** Which of a room's rules lets a request pass it by. */
import { OutOfSteps, Steps } from "../patterns/steps.ts";
import type { BypassRule } from "./bypass-rule.ts";
import { compileExpression, type Decides } from "./compile.ts";
import { fieldsAsked } from "./fields-asked.ts";
import type { RuleRequest } from "./fields.ts";
import { parseExpression } from "./parse.ts";
import type { ExpressionNode } from "./syntax.ts";

/** What all patterns of a room may cost one request: some ten milliseconds. */
const STEPS_MAX = 1_000_000;

interface CompiledRule {
  readonly rule: BypassRule;
  readonly decides: Decides;
  /** For other readings of a path; null where the path is not asked for. */
  readonly decidesReading: (() => Decides) | null;
}

/** The rules of one room, read once. */
export class Bypass {
  readonly #rules: readonly CompiledRule[];
  /** Those that this version cannot read: they let nobody through. */
  readonly unreadable: readonly BypassRule[];

  constructor(rules: readonly BypassRule[]) {
    const enabled = rules.filter((rule) => rule.enabled);
    this.#rules = enabled.flatMap((rule) => compiled(rule) ?? []);
    const read = new Set(this.#rules.map(({ rule }) => rule));
    this.unreadable = enabled.filter((rule) => !read.has(rule));
  }

  /**
   * The first rule that the request matches, by every reading of its path. Null: none does.
   * `readings` are those of the path in canonical spelling, all of them.
   */
  ruleFor(request: RuleRequest, readings: readonly string[]): BypassRule | "out-of-steps" | null {
    if (this.#rules.length === 0) return null;
    const steps = new Steps(STEPS_MAX);
    try {
      return this.#rules.find((rule) => matches(rule, request, readings, steps))?.rule ?? null;
    } catch (error) {
      if (!(error instanceof OutOfSteps)) throw error;
      return "out-of-steps";
    }
  }
}

const compiled = (rule: BypassRule): CompiledRule | null => {
  const parsed = parseExpression(rule.expression);
  if (!parsed.ok) return null;
  const { expression } = parsed;
  const asksPath = fieldsAsked(expression).some(({ isOfPath }) => isOfPath);
  return {
    rule,
    decides: compileExpression(expression),
    decidesReading: asksPath ? once(expression) : null,
  };
};

/** Only what a rule matches is read again. */
const once = (expression: ExpressionNode): (() => Decides) => {
  let decides: Decides | null = null;
  return () => (decides ??= compileExpression(expression, { foldsPaths: true }));
};

/**
 * By the path as it is spelled, and by whatever else an origin may read in it, where letters count in
 * either case: no spelling of a path passes for another one.
 */
const matches = (
  { decides, decidesReading }: CompiledRule,
  request: RuleRequest,
  readings: readonly string[],
  steps: Steps,
): boolean => {
  if (!decides(request, steps)) return false;
  if (decidesReading === null) return true;
  const { path } = request;
  return readings.every((reading) => {
    const other = path.endsWith("/") && reading !== "/" ? `${reading}/` : reading;
    return decidesReading()(new OtherReading(request, other), steps);
  });
};

/** The same request by another path. */
class OtherReading implements RuleRequest {
  readonly #request: RuleRequest;
  readonly path: string;

  constructor(request: RuleRequest, path: string) {
    this.#request = request;
    this.path = path;
  }

  get host(): string {
    return this.#request.host;
  }

  get query(): string {
    return this.#request.query;
  }

  get method(): string {
    return this.#request.method;
  }

  get isHttps(): boolean {
    return this.#request.isHttps;
  }

  get address(): RuleRequest["address"] {
    return this.#request.address;
  }

  get headers(): RuleRequest["headers"] {
    return this.#request.headers;
  }

  get cookies(): RuleRequest["cookies"] {
    return this.#request.cookies;
  }

  get parameters(): RuleRequest["parameters"] {
    return this.#request.parameters;
  }

  get edge(): RuleRequest["edge"] {
    return this.#request.edge;
  }

  header(name: string): string | null {
    return this.#request.header(name);
  }
}
