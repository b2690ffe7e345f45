/** Something went wrong for one visitor; `kind` is what the summary counts. */
export class Trouble extends Error {
  readonly kind: string;
  constructor(kind: string) {
    super(kind);
    this.name = "Trouble";
    this.kind = kind;
  }
}

export const troubleKind = (thrown: unknown): string => {
  if (thrown instanceof Trouble) return thrown.kind;
  if (!(thrown instanceof Error)) return String(thrown);
  return (thrown as NodeJS.ErrnoException).code ?? thrown.message;
};
