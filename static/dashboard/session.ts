import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Scope } from "../../src/core/access/scopes.ts";
import type { ApiClient } from "./client/client.ts";
import type { Question } from "./parts/question.tsx";

/** What every view of a signed-in operator can use. */
export interface Session {
  readonly client: ApiClient;
  /** False: the server would refuse it. True as well while it is not known yet. */
  readonly may: (scope: Scope) => boolean;
  /** Asks before something is done. Resolves to false where the operator thinks better of it. */
  readonly ask: (question: Question) => Promise<boolean>;
  /** One line about what was done or was not, seen and spoken. */
  readonly tell: (line: string, kind?: "done" | "failed") => void;
}

export const SessionContext = createContext<Session | null>(null);

export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("a view is shown to who is signed in");
  return session;
};
