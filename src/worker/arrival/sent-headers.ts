/**
 * A request's headers, read once: each look at the runtime's own costs as much as looking through all
 * of these.
 */
export class SentHeaders {
  /** In lower case. */
  readonly names: string[] = [];
  readonly values: string[] = [];

  constructor(headers: Headers) {
    headers.forEach((value, name) => {
      this.names.push(name);
      this.values.push(value);
    });
  }

  /** `name` is in lower case. */
  get(name: string): string | null {
    return this.values[this.names.indexOf(name)] ?? null;
  }
}
