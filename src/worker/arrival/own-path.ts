import { PREFIX } from "../../durable/contract.ts";
import { folded, holdsPath } from "../../core/url/canonical.ts";

/** The prefix without all that a strange spelling could put between its letters. */
const OUR_LETTERS = PREFIX.replace(/[^a-z]/g, "");
/** Deeper than any server decodes. */
const DECODINGS_MAX = 8;

/** Below it keys are exact, in every character, so that such a path is taken as it was sent. */
const EXACT = `${PREFIX}/locks/`;

/**
 * The spelling by which a path of our own is found; null where the path is the site's. A path that
 * some server could read as ours and that we cannot read so ourselves is `unclear`: its request may
 * carry an operator's token, and must reach no origin.
 */
export const ownPathOf = (
  pathname: string,
  readings: readonly string[] | null,
): { readonly kind: "ours"; readonly path: string } | { readonly kind: "unclear" } | null => {
  if (pathname.startsWith(EXACT)) return { kind: "ours", path: pathname };
  const canonical = readings?.[0];
  if (readings === null || canonical === undefined) return maySpellOurs(pathname) ? UNCLEAR : null;
  if (holdsPath(PREFIX, canonical)) return { kind: "ours", path: canonical };
  const isOursToSomebody =
    readings.length > 1 && readings.some((reading) => holdsPath(PREFIX, reading));
  return isOursToSomebody ? UNCLEAR : null;
};

const UNCLEAR = { kind: "unclear" } as const;

/** Could any server, however it decodes, find our prefix in a path that has no single meaning? */
const maySpellOurs = (pathname: string): boolean => {
  let text = folded(pathname);
  for (let round = 0; round < DECODINGS_MAX; round++) {
    if (text.replace(/[^a-z]/g, "").includes(OUR_LETTERS)) return true;
    const next = folded(looselyDecoded(text));
    if (next === text) return false;
    text = next;
  }
  return true;
};

const looselyDecoded = (text: string): string =>
  text
    .replace(/%u([0-9a-f]{4})/g, (_escape, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
    .replace(/(?:%[0-9a-f]{2})+/g, (run) =>
      textOf(
        run
          .split("%")
          .slice(1)
          .map((digits) => Number.parseInt(digits, 16)),
      ),
    );

/** UTF-8 with its overlong forms, and Latin-1 where it is none. */
const textOf = (bytes: readonly number[]): string => {
  let text = "";
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] ?? 0;
    const length = lead < 0xc0 ? 1 : Math.clz32(~(lead << 24));
    const rest = bytes.slice(at + 1, at + length);
    const isWhole = rest.length === length - 1 && rest.every((byte) => byte >> 6 === 0b10);
    if (length === 1 || length > 6 || !isWhole) text += String.fromCharCode(lead);
    else {
      const first = lead & (0x7f >> length);
      const point = rest.reduce((value, byte) => value * 64 + (byte & 0x3f), first);
      text += String.fromCodePoint(Math.min(point, 0x10ffff));
      at += length - 1;
    }
  }
  return text;
};
