import { useEffect, useId, useRef, useState } from "preact/hooks";
import { sayFailure, type ApiFailure } from "../client/answer.ts";
import { verifyToken } from "../client/client.ts";

interface SignInProps {
  readonly onToken: (token: string) => void;
  /** Why it is asked again, in the middle of the work. */
  readonly because?: string | null;
}

const saysOf = (failure: ApiFailure, token: string): string =>
  failure.status === 401 && token === ""
    ? "Cloudflare Access does not vouch for you here. Sign in with a token."
    : failure.status === 401
      ? "This token is wrong, or it is no longer good. Nothing was signed in."
      : sayFailure(failure);

/** The token is typed or filled in by a password manager; this page keeps it in memory only. */
export const SignInForm = ({ onToken, because = null }: SignInProps) => {
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => input.current?.focus(), []);
  const send = async (tried: string): Promise<void> => {
    setAsking(true);
    const answer = await verifyToken(tried);
    setAsking(false);
    if (answer.ok) return onToken(tried);
    setProblem(saysOf(answer, tried));
    input.current?.select();
    input.current?.focus();
  };
  return (
    <form
      class="sign-in"
      method="post"
      onSubmit={(event) => {
        event.preventDefault();
        if (token.trim() !== "" && !isAsking) void send(token.trim());
      }}
    >
      {because !== null && <p>{because}</p>}
      <div class="field">
        <label for={id}>Token</label>
        <input
          ref={input}
          id={id}
          name="token"
          type="password"
          autocomplete="current-password"
          spellcheck={false}
          required
          value={token}
          aria-invalid={problem !== null}
          aria-describedby={`${id}-hint ${id}-problem`}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
        <p class="hint" id={`${id}-hint`}>
          The deployment's ADMIN_TOKEN, or one that was made from it. It stays in this tab's memory
          and is gone when the tab closes.
        </p>
        <p class="problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      </div>
      <button type="submit" class="main" aria-disabled={isAsking}>
        {isAsking ? "Signing in" : "Sign in"}
      </button>
      <button type="button" class="quiet" onClick={() => void send("")}>
        Sign in through Cloudflare Access
      </button>
    </form>
  );
};

export const SignInPage = (props: SignInProps) => (
  <main class="counter">
    <div class="ticket">
      <p class="band">Seiriken</p>
      <div class="face">
        <h1>Sign in to the dashboard</h1>
        <SignInForm {...props} />
      </div>
    </div>
  </main>
);
