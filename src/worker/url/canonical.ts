/**
 * The one place that decides which path a URL means. Origins differ in how they read a path, so a
 * path has a canonical spelling, by which routes match, and further readings, by which no route may
 * be got around.
 */

/** Letters, digits, `-`, `_`, `~`, `.` and single slashes, no dot before a slash: one reading. */
const PLAIN = /^\/(?:\.?[\w~-]+(?:\.[\w~-]+)*(?:\/|$))*$/;
const ESCAPE = /%[0-9a-f]{2}/i;
const STRAY_ESCAPE = /%(?![0-9a-f]{2})/i;
/** Origins that decode twice exist; those that decode more often than this do not. */
const DECODINGS_MAX = 3;

/**
 * Every reading of a path, the canonical one first: percent-decoded, lower case, single slashes,
 * backslashes as slashes, no trailing slash. The others are the path as it is spelled, the path
 * without `;parameters`, without dots and blanks at the ends of segments and without what follows
 * an encoded `?` or `#`, and the path decoded again. Null when a path has no single meaning: a stray
 * or overlong escape, a control character, a dot segment behind an encoded slash.
 *
 * `pathname` is a parsed URL's, in which plain dot segments are resolved already.
 */
export const readingsOf = (pathname: string): readonly [string, ...string[]] | null => {
  if (PLAIN.test(pathname)) return [withoutLastSlash(pathname.toLowerCase())];
  const canonical = decoded(pathname);
  if (canonical === null || hasDotSegment(canonical)) return null;
  const readings = new Set([tidy(canonical), tidy(pathname.toLowerCase())]);
  let again = canonical;
  for (let round = 1; ; round++) {
    for (const path of new Set([again, withoutQuery(again)])) {
      const bare = withoutParameters(path);
      if (hasDotSegment(path) || hasDotSegment(bare)) return null;
      readings.add(tidy(path)).add(tidy(withoutTails(bare)));
    }
    if (!ESCAPE.test(again)) break;
    if (round === DECODINGS_MAX) return null;
    const next = decoded(again);
    if (next === null) return null;
    again = next;
  }
  return [...readings] as [string, ...string[]];
};

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
  segmentsOf(path).some((part) => part === "." || part === "..");

const withoutParameters = (path: string): string =>
  segmentsOf(path)
    .map((part) => part.replace(/;.*$/s, ""))
    .join("/");

/** Origins that decode before they look for the query see a shorter path (CVE-2024-38474). */
const withoutQuery = (path: string): string => path.replace(/[?#].*$/s, "");

const withoutTails = (path: string): string =>
  segmentsOf(path)
    .map((part) => part.replace(/[. ]+$/, ""))
    .join("/");

/** Decodes every escape once and lowers the case; null where a path is malformed. */
const decoded = (path: string): string | null => {
  if (STRAY_ESCAPE.test(path)) return null;
  const bytes: number[] = [];
  for (const part of path.split(/(%[0-9a-f]{2})/i)) {
    if (ESCAPE.test(part) && part.length === 3) bytes.push(Number.parseInt(part.slice(1), 16));
    else bytes.push(...new TextEncoder().encode(part));
  }
  if (bytes.some(isControl) || bytes.some((byte, at) => isOverlong(byte, bytes[at + 1])))
    return null;
  return new TextDecoder().decode(new Uint8Array(bytes)).normalize("NFC").toLowerCase();
};

const isControl = (byte: number): boolean => byte < 0x20 || byte === 0x7f;

/** A long UTF-8 form of a character that has a short one, such as a hidden slash (RFC 3629, 10). */
const isOverlong = (byte: number, next: number | undefined): boolean => {
  if (next === undefined || next < 0x80 || next > 0xbf) return false;
  if (byte === 0xc0 || byte === 0xc1) return true;
  return (byte === 0xe0 && next < 0xa0) || (byte === 0xf0 && next < 0x90);
};
