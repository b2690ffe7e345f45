/** Something went wrong for one visitor; `kind` is what the summary counts. */
export class CrowdError extends Error {
  readonly kind: string;
  constructor(kind: string) {
    super(kind);
    this.name = "Trouble";
    this.kind = kind;
  }
}

export const errorKind = (thrown: unknown): string => {
  if (thrown instanceof CrowdError) return thrown.kind;
  if (!(thrown instanceof Error)) return String(thrown);
  return (thrown as NodeJS.ErrnoException).code ?? thrown.message;
};
