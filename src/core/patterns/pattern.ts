import { WORD_CHARACTERS } from "./char-set.ts";
import { parsePattern } from "./parse-pattern.ts";
import { programOf, type Instruction, type Program } from "./program.ts";
import type { Steps } from "./steps.ts";
import type { Assertion } from "./syntax.ts";

/** Before the first and after the last character of a text. */
const NONE = -1;
const LINE_BREAK = 10;

/**
 * A regular expression that runs in linear time: it goes through the text once, with all the places
 * of the pattern at which it could stand. No text makes it go back.
 */
export class Pattern {
  readonly #program: Program;
  #here: Places;
  #next: Places;

  /** Throws a `PatternProblem`. `folds`: letters in either case. */
  constructor(text: string, folds = false) {
    this.#program = programOf(parsePattern(text, folds));
    this.#here = new Places(this.#program.instructions);
    this.#next = new Places(this.#program.instructions);
  }

  /** Is there a match anywhere in the text? Throws `OutOfSteps`. */
  isIn(text: string, steps: Steps): boolean {
    const { isAnchored } = this.#program;
    this.#here.clear();
    let before = NONE;
    for (let at = 0; ;) {
      const point = text.codePointAt(at) ?? NONE;
      if ((at === 0 || !isAnchored) && this.#here.add(0, before, point)) return true;
      if (point === NONE || (isAnchored && this.#here.size === 0)) return false;
      steps.spend(1 + this.#here.size);
      at += point > 0xffff ? 2 : 1;
      if (this.#step(point, text.codePointAt(at) ?? NONE)) return true;
      before = point;
    }
  }

  /** All that take this character go on; true when one of them reaches the end of the pattern. */
  #step(point: number, after: number): boolean {
    const [here, next] = [this.#here, this.#next];
    next.clear();
    for (let index = 0; index < here.size; index++) {
      const place = here.at(index);
      if (here.takes(place, point) && next.add(place + 1, point, after)) return true;
    }
    this.#here = next;
    this.#next = here;
    return false;
  }
}

/** Places of a program, each once, in the order they were reached: a sparse set. */
class Places {
  readonly #instructions: readonly Instruction[];
  readonly #listed: Uint16Array;
  readonly #indexOf: Uint16Array;
  readonly #pending: number[] = [];
  size = 0;

  constructor(instructions: readonly Instruction[]) {
    this.#instructions = instructions;
    this.#listed = new Uint16Array(instructions.length);
    this.#indexOf = new Uint16Array(instructions.length);
  }

  clear(): void {
    this.size = 0;
  }

  at(index: number): number {
    return this.#listed[index] ?? 0;
  }

  takes(place: number, point: number): boolean {
    const instruction = this.#instructions[place];
    return instruction?.do === "take" && instruction.set.has(point);
  }

  /** Adds a place and all that are reached from it without a character. True: the end is. */
  add(first: number, before: number, after: number): boolean {
    const pending = this.#pending;
    pending.length = 0;
    pending.push(first);
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      if (this.#has(place)) continue;
      this.#put(place);
      const instruction = this.#instructions[place];
      if (instruction?.do === "match") return true;
      if (instruction?.do === "fork") pending.push(...instruction.to);
      else if (instruction?.do === "assert" && holds(instruction.assertion, before, after))
        pending.push(place + 1);
    }
    return false;
  }

  #has(place: number): boolean {
    const index = this.#indexOf[place] ?? 0;
    return index < this.size && this.#listed[index] === place;
  }

  #put(place: number): void {
    this.#listed[this.size] = place;
    this.#indexOf[place] = this.size;
    this.size += 1;
  }
}

const holds = (assertion: Assertion, before: number, after: number): boolean => {
  switch (assertion) {
    case "text-start":
      return before === NONE;
    case "text-end":
      return after === NONE;
    case "line-start":
      return before === NONE || before === LINE_BREAK;
    case "line-end":
      return after === NONE || after === LINE_BREAK;
    case "word-edge":
      return isWord(before) !== isWord(after);
    case "no-word-edge":
      return isWord(before) === isWord(after);
    default:
      return assertion satisfies never;
  }
};

const isWord = (point: number): boolean => point !== NONE && WORD_CHARACTERS.has(point);
