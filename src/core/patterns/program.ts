/**
 * A pattern as the program of a machine that has no memory but where it stands (K. Thompson,
 * "Regular Expression Search Algorithm", 1968; the program's form is R. Cox's, of RE2).
 */
import type { CharSet } from "./char-set.ts";
import { PatternProblem, type Assertion, type PatternNode } from "./syntax.ts";

/** States of one pattern: what a character of a text costs at most. */
export const STATES_MAX = 1_000;

export type Instruction =
  | { readonly do: "take"; readonly set: CharSet }
  | { readonly do: "assert"; readonly assertion: Assertion }
  | { readonly do: "fork"; readonly to: readonly number[] }
  | { readonly do: "match" };

export interface Program {
  readonly instructions: readonly Instruction[];
  /** It can match from the first character on only. */
  readonly isAnchored: boolean;
}

/** Each instruction goes on to the one after it, but for a fork, which says where to. */
export const programOf = (node: PatternNode): Program => {
  const writer = new ProgramWriter();
  writer.write(node);
  return { instructions: writer.finish(), isAnchored: isAnchored(node) };
};

class ProgramWriter {
  readonly #instructions: Instruction[] = [];
  /** Parts that take nothing write nothing, and are counted all the same. */
  #written = 0;

  write(node: PatternNode): void {
    this.#count();
    switch (node.kind) {
      case "one":
        this.#add({ do: "take", set: node.set });
        return;
      case "assert":
        this.#add({ do: "assert", assertion: node.assertion });
        return;
      case "all":
        for (const part of node.parts) this.write(part);
        return;
      case "either":
        this.#writeEither(node.ways);
        return;
      case "repeat":
        this.#writeRepeat(node);
        return;
      default:
        node satisfies never;
    }
  }

  finish(): readonly Instruction[] {
    this.#add({ do: "match" });
    return this.#instructions;
  }

  #writeEither(ways: readonly PatternNode[]): void {
    const starts: number[] = [];
    const fork = this.#add({ do: "fork", to: starts });
    const ends: number[] = [];
    for (const way of ways) {
      starts.push(this.#here);
      this.write(way);
      ends.push(this.#add({ do: "fork", to: [fork] }));
    }
    for (const end of ends) this.#instructions[end] = { do: "fork", to: [this.#here] };
  }

  #writeRepeat({ part, least, most }: Extract<PatternNode, { kind: "repeat" }>): void {
    for (let times = 0; times < least; times++) this.write(part);
    if (most === null) {
      const again = this.#add({ do: "fork", to: [] });
      this.write(part);
      this.#add({ do: "fork", to: [again] });
      this.#instructions[again] = { do: "fork", to: [again + 1, this.#here] };
      return;
    }
    const exits: number[] = [];
    for (let times = least; times < most; times++) {
      exits.push(this.#add({ do: "fork", to: [] }));
      this.write(part);
    }
    for (const exit of exits) this.#instructions[exit] = { do: "fork", to: [exit + 1, this.#here] };
  }

  get #here(): number {
    return this.#instructions.length;
  }

  #add(instruction: Instruction): number {
    this.#count();
    return this.#instructions.push(instruction) - 1;
  }

  #count(): void {
    this.#written += 1;
    if (this.#here >= STATES_MAX || this.#written > 4 * STATES_MAX)
      throw new PatternProblem(0, `a smaller pattern: this one takes over ${STATES_MAX} states`);
  }
}

const isAnchored = (node: PatternNode): boolean => {
  switch (node.kind) {
    case "assert":
      return node.assertion === "text-start";
    case "all": {
      const [first] = node.parts;
      return first !== undefined && isAnchored(first);
    }
    case "either":
      return node.ways.every(isAnchored);
    case "repeat":
    case "one":
      return false;
    default:
      return node satisfies never;
  }
};
