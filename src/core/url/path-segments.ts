/** A rule's path: its segments, of which `:name` stands for any one. */

export const segmentsOf = (path: string): string[] =>
  path.split("/").filter((segment) => segment !== "");

export const isParameter = (segment: string): boolean => segment.startsWith(":");

/** Does a path begin with the segments of a rule? */
export const isUnder = (segments: readonly string[], given: readonly string[]): boolean =>
  segments.length <= given.length &&
  segments.every((segment, at) => isParameter(segment) || segment === given[at]);
