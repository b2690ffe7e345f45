import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ApiClient } from "./client/client.ts";
import { includes, type Scope } from "../../src/core/access/scopes.ts";
import { readOverview, type SignedInAs } from "./client/rooms-api.ts";
import { useAsked } from "./client/use-asked.ts";
import { Dialog } from "./parts/dialog.tsx";
import { QuestionDialog, type Question } from "./parts/question.tsx";
import { hrefOf, useView, type DashboardView } from "./route.ts";
import { SessionContext, type Session } from "./session.ts";
import { zoneOf } from "./text/format.ts";
import { RoomView } from "./views/room.tsx";
import { RoomsView } from "./views/rooms.tsx";
import { SignInForm, SignInPage } from "./views/sign-in.tsx";
import { Timeline } from "./views/timeline.tsx";
import { TokensView } from "./views/tokens.tsx";
import { WebhooksView } from "./views/webhooks.tsx";

const REFUSED =
  "Your token is no longer good: it has expired or was revoked. What you were doing waits, and goes on when you have signed in again.";

interface Told {
  readonly line: string;
  readonly kind: "done" | "failed";
}

const TOLD_FOR_MS = 8_000;
/** Another token may have been signed in with. */
const OPERATOR_EVERY_MS = 30_000;

/** What belongs to no room is for those alone who are for every room. */
const mayDo = ({ scope, rooms }: SignedInAs, needed: Scope): boolean =>
  includes(scope, needed) && (needed !== "admin" || rooms === null);

export const App = () => {
  const [client, setClient] = useState<ApiClient | null>(null);
  const [isRefused, setRefused] = useState(false);
  if (client === null)
    return (
      <SignInPage onToken={(token) => setClient(new ApiClient(token, () => setRefused(true)))} />
    );
  return (
    <>
      <SignedIn client={client} onSignOut={() => setClient(null)} />
      {isRefused && (
        <Dialog title="Sign in again" onClose={null}>
          <SignInForm
            because={REFUSED}
            onToken={(token) => {
              setRefused(false);
              client.renew(token);
            }}
          />
        </Dialog>
      )}
    </>
  );
};

interface SignedInProps {
  readonly client: ApiClient;
  readonly onSignOut: () => void;
}

interface OpenQuestion {
  readonly question: Question;
  readonly answer: (isYes: boolean) => void;
}

const SignedIn = ({ client, onSignOut }: SignedInProps) => {
  const view = useView();
  const [asking, setAsking] = useState<OpenQuestion | null>(null);
  const [told, setTold] = useState<Told | null>(null);
  const timer = useRef(0);
  const ask = useCallback(
    (question: Question) =>
      new Promise<boolean>((resolve) => {
        const answer = (isYes: boolean): void => {
          setAsking(null);
          resolve(isYes);
        };
        setAsking({ question, answer });
      }),
    [],
  );
  const tell = useCallback<Session["tell"]>((line, kind = "done") => {
    clearTimeout(timer.current);
    setTold({ line, kind });
    timer.current = setTimeout(() => setTold(null), TOLD_FOR_MS);
  }, []);
  const { value } = useAsked("operator", () => readOverview(client), OPERATOR_EVERY_MS);
  const operator = value?.operator ?? null;
  const session = useMemo(
    () => ({
      client,
      ask,
      tell,
      may: (scope: Scope) => operator === null || mayDo(operator, scope),
    }),
    [client, ask, tell, operator?.scope, operator?.rooms === null],
  );
  return (
    <SessionContext.Provider value={session}>
      <a class="skip" href="#view" onClick={focusView}>
        To the content
      </a>
      <TopBar view={view} operator={operator} onSignOut={onSignOut} />
      <div id="view" tabIndex={-1}>
        <Shown view={view} />
      </div>
      <p class={`told ${told?.kind ?? ""}`} role="status">
        {told?.line}
      </p>
      {asking !== null && <QuestionDialog question={asking.question} onAnswer={asking.answer} />}
    </SessionContext.Provider>
  );
};

/** The address behind the # names the view, so this link may not change it. */
const focusView = (event: Event): void => {
  event.preventDefault();
  document.getElementById("view")?.focus();
};

const TITLES: Readonly<Record<DashboardView["name"], string>> = {
  rooms: "Rooms",
  room: "Room",
  tokens: "Tokens",
  webhooks: "Webhooks",
  audit: "Changes",
};

const NAMED_IN_BAR = ["rooms", "audit", "tokens", "webhooks"] as const;

const Shown = ({ view }: { readonly view: DashboardView }) => {
  useEffect(() => {
    // A room's own title tells how many wait.
    if (view.name !== "room") document.title = `${TITLES[view.name]} · Seiriken`;
  }, [view]);
  switch (view.name) {
    case "room":
      return <RoomView key={view.room} room={view.room} tab={view.tab} />;
    case "tokens":
      return <TokensView />;
    case "webhooks":
      return <WebhooksView />;
    case "audit":
      return (
        <main>
          <h1 class="unseen">Changes</h1>
          <Timeline room={null} version={null} />
        </main>
      );
    case "rooms":
      return <RoomsView />;
    default:
      return view satisfies never;
  }
};

interface TopBarProps {
  readonly view: DashboardView;
  readonly operator: SignedInAs | null;
  readonly onSignOut: () => void;
}

const TopBar = ({ view, operator, onSignOut }: TopBarProps) => (
  <header class="top">
    <p class="brand">Seiriken</p>
    <nav aria-label="Views">
      {NAMED_IN_BAR.map((name) => (
        <a
          key={name}
          href={hrefOf({ name })}
          aria-current={view.name === name ? "page" : undefined}
        >
          {TITLES[name]}
        </a>
      ))}
    </nav>
    <p class="zone soft">
      {operator !== null && `${operator.name} (${operator.scope}). `}Times: {zoneOf(Date.now())}
    </p>
    <button type="button" class="quiet" onClick={onSignOut}>
      Sign out
    </button>
  </header>
);
