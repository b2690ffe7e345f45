/** What stands on the right of an operator. */
import { parseNetwork } from "../address/ip-address.ts";
import { AddressSet, rangeOfNetwork, type AddressRange } from "./address-set.ts";
import { NumberSet, type NumberRange } from "./number-set.ts";
import type { Scanner } from "./scanner.ts";

/** Of one list in braces. */
export const LIST_MAX = 1_000;

const NUMBER = /-?(?:0x[\dA-Fa-f]{1,13}|\d{1,16})/y;
/** A dot, but not the two of a range. */
const ADDRESS = /(?:[\dA-Fa-f:]|\.(?!\.))+(?:\/\d{1,3})?/y;

const A_TEXT = 'a text in quotes such as "/tickets"';
const AN_ADDRESS = "an address such as 192.0.2.7 or 2001:db8::7";
const A_NETWORK = "an address, a range of them (192.0.2.1..192.0.2.9) or a network (192.0.2.0/24)";

export const readTextLiteral = (scanner: Scanner): string => scanner.readText(A_TEXT).value;

export const readNumber = (scanner: Scanner): number => {
  scanner.skipSpace();
  const start = scanner.at;
  const digits = scanner.takesPattern(NUMBER);
  if (digits === "") scanner.fail("a whole number");
  const value = digits.startsWith("-") ? -Number(digits.slice(1)) : Number(digits);
  if (!Number.isSafeInteger(value)) scanner.failAt(start, "expected a number below 2^53");
  return value;
};

/** Null for a network: only a list takes those. */
const readAddresses = (scanner: Scanner, what: string): AddressRange & { isOne: boolean } => {
  scanner.skipSpace();
  const start = scanner.at;
  const text = scanner.takesPattern(ADDRESS);
  if (text === "") scanner.fail(what);
  const network = parseNetwork(text);
  if (network === null)
    scanner.failAt(
      start,
      `expected ${what}, found ${text}; a network has no bits beyond its length`,
    );
  return {
    ...rangeOfNetwork(network),
    isOne: network.length === network.width && !text.includes("/"),
  };
};

export const readAddress = (scanner: Scanner): AddressSet => {
  scanner.skipSpace();
  const start = scanner.at;
  const range = readAddresses(scanner, AN_ADDRESS);
  if (!range.isOne)
    scanner.failAt(start, `expected ${AN_ADDRESS}; networks go into a list: in {…}`);
  return new AddressSet([range]);
};

export const readTextList = (scanner: Scanner): readonly string[] =>
  readList(scanner, readTextLiteral);

export const readNumberList = (scanner: Scanner): NumberSet =>
  new NumberSet(
    readList(scanner, (): NumberRange => {
      const first = readNumber(scanner);
      if (!scanner.takes("..")) return [first, first];
      const start = scanner.at;
      const last = readNumber(scanner);
      if (last < first) scanner.failAt(start, `expected a number of at least ${first}`);
      return [first, last];
    }),
  );

export const readAddressList = (scanner: Scanner): AddressSet =>
  new AddressSet(
    readList(scanner, (): AddressRange => {
      const from = readAddresses(scanner, A_NETWORK);
      if (!from.isOne || !scanner.takes("..")) return from;
      const start = scanner.at;
      const to = readAddresses(scanner, AN_ADDRESS);
      if (!to.isOne || to.width !== from.width || to.last < from.first)
        scanner.failAt(start, "expected an address of the same kind, not before the first one");
      return { ...from, last: to.last };
    }),
  );

const readList = <T>(scanner: Scanner, readItem: (scanner: Scanner) => T): readonly T[] => {
  if (scanner.takes("$")) scanner.fail("a list in braces: named lists are not offered here");
  if (!scanner.takes("{")) scanner.fail("a list in braces such as {1 2}");
  const items = [readItem(scanner)];
  while (!scanner.takes("}")) {
    if (items.length >= LIST_MAX) scanner.fail(`at most ${LIST_MAX} entries`);
    if (scanner.takes(",")) scanner.failAt(scanner.at - 1, "expected a space between entries");
    if (scanner.isAtEnd) scanner.fail("} at the end of the list");
    items.push(readItem(scanner));
  }
  return items;
};
