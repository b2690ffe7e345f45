/** One call of a command to a deployment, whichever of its APIs it asks. */
import { describe, Failure } from "./launch/failure.ts";

const ANSWER_WITHIN_MS = 10_000;

export interface DeploymentAccess {
  readonly server: string;
  readonly token: string;
}

export interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `json` is null where the answer has none. */
export interface Answered {
  readonly status: number;
  readonly isOk: boolean;
  readonly json: unknown;
}

/** The server closed a connection, most likely one that was kept and that nobody used for a while. */
const CLOSED: readonly unknown[] = ["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"];

const wasClosed = (thrown: unknown): boolean =>
  thrown instanceof Error && CLOSED.includes((thrown.cause as NodeJS.ErrnoException)?.code);

/** Throws a `Failure` when nobody answers. */
export const callDeployment = async (
  { server, token }: DeploymentAccess,
  { method, path, body, headers = {} }: ApiCall,
  fetchWith: typeof fetch = fetch,
): Promise<Answered> => {
  const ask = (): Promise<Response> =>
    fetchWith(new URL(path, server), {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
      redirect: "error",
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const askAgain = (thrown: unknown): Promise<Response> => {
    if (method === "GET" && wasClosed(thrown)) return ask();
    throw thrown;
  };
  let response: Response;
  try {
    response = await ask().catch(askAgain);
  } catch (thrown) {
    throw new Failure("unreachable", `${server} does not answer (${describe(thrown)})`, [
      "is it running? npm start runs one here; --server URL names another",
    ]);
  }
  const { status, ok: isOk } = response;
  return { status, isOk, json: status === 204 ? null : await response.json().catch(() => null) };
};

/** The answer is none that a deployment of ours gives. */
export const noSeiriken = ({ server }: DeploymentAccess, status: number): Failure =>
  new Failure("no-seiriken", `${server} answered ${status}, and not as Seiriken does`, [
    "is --server the address of the Worker itself?",
  ]);
