/** What Stryker hands an ignorer of each node that it could change: the part that is looked at here. */
type SyntaxPath = {
  readonly key: string | number | null;
  readonly listKey?: string | undefined;
  readonly parent: {
    readonly type: string;
    readonly callee?: { readonly type: string; readonly name?: string };
  } | null;
};

const isInvariantMessage = ({ key, listKey, parent }: SyntaxPath): boolean =>
  parent?.type === "CallExpression" &&
  parent.callee?.type === "Identifier" &&
  parent.callee.name === "invariant" &&
  listKey === "arguments" &&
  key === 1;

/** The words of `invariant(holds, "…")` tell people why; no behaviour hangs on them. */
const invariantMessages = {
  shouldIgnore(path: SyntaxPath): string | undefined {
    return isInvariantMessage(path) ? "the words of an invariant are for people" : undefined;
  },
};

/** Stryker looks for an export of this name: https://stryker-mutator.io/docs/stryker-js/disable-mutants/ */
export const strykerPlugins = [
  { kind: "Ignore", name: "invariant-messages", value: invariantMessages },
];
