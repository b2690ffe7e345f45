/**
 * The one place that decides which path a URL means. Origins differ in how they read a path, so a
 * path has a canonical spelling, by which routes match, and further readings, by which no route may
 * be got around.
 */

/** Letters, digits, `-`, `_`, `~`, `.` and single slashes, no dot before a slash: one reading. */
const PLAIN = /^\/(?:\.?[\w~-]+(?:\.[\w~-]+)*(?:\/|$))*$/;
const ASCII = /^[\0-\x7f]*$/;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Servers drop dots and blanks at the end of a segment, some to nothing, some to `..`. */
const DOTS_AND_BLANKS = /^[.\s\u0085]+$/;
const DOT_OR_BLANK = /[.\s\u0085]/;
const ESCAPE = /%[0-9a-f]{2}/i;
const STRAY_ESCAPE = /%(?![0-9a-f]{2})/i;
/** Origins that decode twice exist; those that decode more often than this do not. */
const DECODINGS_MAX = 3;

/**
 * Every reading of a path, the canonical one first: percent-decoded, lower case, single slashes,
 * backslashes as slashes, no trailing slash. The others are the path as it is spelled, the path
 * without `;parameters`, without dots and blanks at the ends of segments and without what follows
 * an encoded `?` or `#`, the path with its letters folded, the path decoded again, and where it holds
 * bytes that are no UTF-8 the path as Latin-1. Null when a
 * path has no single meaning: a stray or overlong escape, a control character, a dot segment behind
 * an encoded slash, a segment that is nothing but dots and blanks.
 *
 * `pathname` is a parsed URL's, in which plain dot segments are resolved already.
 */
export const readingsOf = (pathname: string): readonly [string, ...string[]] | null => {
  const plain = plainReading(pathname);
  if (plain !== null) return plain;
  const canonical = decoded(pathname);
  if (canonical === null) return null;
  const readings = new Set([tidy(canonical), tidy(pathname.toLowerCase())]);
  if (!addReadings(readings, canonical)) return null;
  if (canonical.includes(NO_UTF8) && !addReadings(readings, decoded(pathname, latin1))) return null;
  return [...readings] as [string, ...string[]];
};

/** The one reading of a path that everybody reads alike, also before its URL is parsed; else null. */
export const plainReading = (path: string): readonly [string] | null =>
  PLAIN.test(path) ? [withoutLastSlash(path.toLowerCase())] : null;

/** All that may become of a path that was decoded once. False: it has no single meaning. */
const addReadings = (readings: Set<string>, once: string | null): boolean => {
  let again = once;
  for (let round = 1; again !== null; round++) {
    for (const path of variantsOf(again)) {
      const bare = withoutParameters(path);
      if (hasDotSegment(path) || hasDotSegment(bare)) return false;
      readings.add(tidy(path)).add(tidy(withoutTails(bare)));
    }
    // Some percent signs are signs only to those that fold before they decode.
    if (!ESCAPE.test(again)) return !ESCAPE.test(folded(again));
    again = round === DECODINGS_MAX ? null : decoded(again);
  }
  return false;
};

const variantsOf = (path: string): ReadonlySet<string> => {
  const letters = folded(path);
  return new Set([path, withoutQuery(path), letters, withoutQuery(letters)]);
};

/**
 * A path as the most lenient servers compare it: compatibility forms (full width, ligatures), case
 * in both directions (the long s and the dotless i are found only by way of upper case), and
 * characters that nobody sees are gone.
 */
export const folded = (path: string): string =>
  ASCII.test(path)
    ? path.toLowerCase()
    : path
        .replace(INVISIBLE, "")
        .normalize("NFKC")
        .toUpperCase()
        .toLowerCase()
        .replaceAll("i\u0307", "i")
        .normalize("NFKC");

/** The canonical spelling of an operator's path, or null when it has none. */
export const canonicalPath = (path: string): string | null => {
  try {
    return (
      readingsOf(new URL(path.startsWith("/") ? path : `/${path}`, "http://h").pathname)?.[0] ??
      null
    );
  } catch {
    return null;
  }
};

/** By which an operator's path is compared: canonical, and folded like what it is compared with. */
export const spellingsOf = (path: string): readonly string[] => {
  const canonical = canonicalPath(path);
  return canonical === null ? [] : [...new Set([canonical, tidy(folded(canonical))])];
};

/** Lower case, no port, no trailing dot. `hostname` is a parsed URL's. */
export const canonicalHost = (hostname: string): string => {
  const lower = hostname.toLowerCase();
  return lower.endsWith(".") ? lower.replace(/\.+$/, "") : lower;
};

/** Whole segments: `/a` holds `/a` and `/a/b`, not `/ab`. Both in canonical spelling. */
export const holdsPath = (route: string, path: string): boolean =>
  route === "/" || path === route || path.startsWith(`${route}/`);

const segmentsOf = (path: string): string[] => path.split(/[/\\]+/).filter((part) => part !== "");

const withoutLastSlash = (plain: string): string =>
  plain.length > 1 && plain.endsWith("/") ? plain.slice(0, -1) : plain;

const tidy = (path: string): string => `/${segmentsOf(path).join("/")}`;

const hasDotSegment = (path: string): boolean =>
  segmentsOf(path).some((part) => part.includes(".") && DOTS_AND_BLANKS.test(part));

const withoutParameters = (path: string): string =>
  segmentsOf(path)
    .map((part) => part.replace(/;.*$/s, ""))
    .join("/");

/** Origins that decode before they look for the query see a shorter path (CVE-2024-38474). */
const withoutQuery = (path: string): string => path.replace(/[?#].*$/s, "");

const withoutTails = (path: string): string => segmentsOf(path).map(withoutTail).join("/");

/** In one pass: a pattern would look again from every dot of a long row. */
const withoutTail = (part: string): string => {
  let end = part.length;
  while (end > 0 && DOT_OR_BLANK.test(part[end - 1] ?? "")) end -= 1;
  return part.slice(0, end);
};

/** What stands in a text for bytes that are no UTF-8. */
const NO_UTF8 = "\ufffd";
const utf8 = (bytes: readonly number[]): string => new TextDecoder().decode(new Uint8Array(bytes));
/** As origins read paths that are older than UTF-8 in them. */
const latin1 = (bytes: readonly number[]): string =>
  bytes.map((byte) => String.fromCharCode(byte)).join("");

/** Decodes every escape once and lowers the case; null where a path is malformed. */
const decoded = (path: string, textOf = utf8): string | null => {
  if (STRAY_ESCAPE.test(path)) return null;
  const bytes: number[] = [];
  for (const part of path.split(/(%[0-9a-f]{2})/i)) {
    if (ESCAPE.test(part) && part.length === 3) bytes.push(Number.parseInt(part.slice(1), 16));
    else bytes.push(...new TextEncoder().encode(part));
  }
  if (bytes.some(isControl) || bytes.some((byte, at) => isOverlong(byte, bytes[at + 1])))
    return null;
  return textOf(bytes).normalize("NFC").toLowerCase();
};

const isControl = (byte: number): boolean => byte < 0x20 || byte === 0x7f;

/** A long UTF-8 form of a character that has a short one, such as a hidden slash (RFC 3629, 10). */
const isOverlong = (byte: number, next: number | undefined): boolean => {
  if (next === undefined || next < 0x80 || next > 0xbf) return false;
  if (byte === 0xc0 || byte === 0xc1) return true;
  return (byte === 0xe0 && next < 0xa0) || (byte === 0xf0 && next < 0x90);
};
