/** Where in a document something is wrong (keys and indices from its root down), and what. */
export interface FieldProblem {
  readonly keys: readonly (string | number)[];
  readonly message: string;
}
