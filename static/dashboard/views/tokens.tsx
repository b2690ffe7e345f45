/** Tokens of operators: listed, made, revoked. */
import { useState } from "preact/hooks";
import type { MadeTokenResource, TokenResource } from "../../../src/api/tokens/schema.ts";
import type { Scope } from "../../../src/core/access/scopes.ts";
import { sayFailure } from "../client/answer.ts";
import { listTokens, makeToken, revokeToken } from "../client/operators-api.ts";
import { readOverview } from "../client/rooms-api.ts";
import { useAsked } from "../client/use-asked.ts";
import { Dialog } from "../parts/dialog.tsx";
import { ChoiceField, TextField, TickField } from "../parts/field.tsx";
import { FailureNotice, Notice } from "../parts/notice.tsx";
import { ShownOnce } from "../parts/shown-once.tsx";
import { useSession } from "../session.ts";
import { dayTimeOf, fromLocalInput } from "../text/format.ts";

const MAY: Readonly<Record<Scope, string>> = {
  read: "look",
  operate: "run rooms",
  admin: "everything",
};

export const TokensView = () => {
  const { client, ask, tell, may } = useSession();
  const { value, failure, again } = useAsked("tokens", () => listTokens(client), null);
  const rooms = useAsked("rooms", () => readOverview(client), null);
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<MadeTokenResource | null>(null);
  const names = new Map(rooms.value?.rooms.map(({ id, name }) => [id, name]));
  const revoke = async ({ id, name }: TokenResource): Promise<void> => {
    const isMeant = await ask({
      title: `Revoke ${name}?`,
      says: [
        "Whoever uses this token is out within 5 seconds. It can't be brought back.",
        "Tokens that were made with it stay.",
      ],
      action: "Revoke",
      typed: name,
    });
    if (!isMeant) return;
    const answer = await revokeToken(client, id);
    if (answer.ok) tell(`${name} is revoked.`);
    else tell(sayFailure(answer), "failed");
    again();
  };
  return (
    <main class="listed">
      <header class="bar">
        <h1>Tokens</h1>
        <p class="soft">Who may use this page and the API, besides ADMIN_TOKEN.</p>
        {may("admin") && (
          <button type="button" class="main far" onClick={() => setMaking(true)}>
            Make a token
          </button>
        )}
      </header>
      <FailureNotice failure={failure} />
      {value?.tokens.length === 0 && (
        <Notice kind="told">There is none yet. Give each person and program one of its own.</Notice>
      )}
      {value !== null && value.tokens.length > 0 && (
        <TokensTable
          tokens={value.tokens}
          names={names}
          onRevoke={may("admin") ? (token) => void revoke(token) : null}
        />
      )}
      {isMaking && (
        <TokenForm
          rooms={rooms.value?.rooms ?? []}
          onClose={() => setMaking(false)}
          onMade={(token) => {
            setMaking(false);
            setMade(token);
            again();
          }}
        />
      )}
      {made !== null && (
        <ShownOnce
          title={`Token ${made.name}`}
          secret={made.token}
          says="Whoever has it may do what its scope allows. It is sent as Authorization: Bearer."
          onClose={() => setMade(null)}
        />
      )}
    </main>
  );
};

interface TokensTableProps {
  readonly tokens: readonly TokenResource[];
  /** Of rooms, by their ids. */
  readonly names: ReadonlyMap<string, string>;
  /** Null: whoever looks may not. */
  readonly onRevoke: ((token: TokenResource) => void) | null;
}

const TokensTable = ({ tokens, names, onRevoke }: TokensTableProps) => (
  <div class="card scroll" tabIndex={0} role="region" aria-label="Tokens">
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">May</th>
          <th scope="col">Rooms</th>
          <th scope="col">Until</th>
          <th scope="col">Made</th>
          <th scope="col">
            <span class="unseen">What to do</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {tokens.map((token) => (
          <tr key={token.id}>
            <th scope="row">{token.name}</th>
            <td>
              {MAY[token.scope]} <span class="soft code">{token.scope}</span>
            </td>
            <td>
              {token.rooms === null
                ? "all"
                : token.rooms.map((id) => names.get(id) ?? "a deleted room").join(", ")}
            </td>
            <td>
              {token.expires_at === null
                ? "it is revoked"
                : dayTimeOf(Date.parse(token.expires_at))}
            </td>
            <td>
              {dayTimeOf(Date.parse(token.made_at))}
              <span class="soft"> by {token.made_by}</span>
            </td>
            <td class="n">
              {onRevoke !== null && (
                <button type="button" onClick={() => onRevoke(token)}>
                  Revoke<span class="unseen"> {token.name}</span>
                </button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

interface TokenFormProps {
  readonly rooms: readonly { readonly id: string; readonly name: string }[];
  readonly onClose: () => void;
  readonly onMade: (token: MadeTokenResource) => void;
}

const SCOPE_OPTIONS = [
  ["read", "read: look at everything, change nothing"],
  ["operate", "operate: run rooms that exist, and help visitors"],
  ["admin", "admin: everything, also rooms, tokens and webhooks"],
] as const;

const TokenForm = ({ rooms, onClose, onMade }: TokenFormProps) => {
  const { client } = useSession();
  const [name, setName] = useState("");
  const [scope, setScope] = useState<string>("read");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [until, setUntil] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const make = async (): Promise<void> => {
    const expires = fromLocalInput(until);
    const answer = await makeToken(client, {
      name: name.trim(),
      scope,
      ...(chosen.size === 0 ? {} : { rooms: [...chosen] }),
      ...(expires === null ? {} : { expires_at: new Date(expires).toISOString() }),
    });
    if (answer.ok) onMade(answer.value);
    else setProblem(sayFailure(answer));
  };
  return (
    <Dialog title="Make a token" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        {problem !== null && <Notice kind="failed">{problem}</Notice>}
        <TextField
          label="Name"
          hint="Whose it is, or what uses it; the record calls it so. Letters, digits, . - _"
          value={name}
          onInput={setName}
          maxLength={64}
          isRequired={true}
        />
        <ChoiceField label="May" value={scope} onInput={setScope} options={SCOPE_OPTIONS} />
        <fieldset>
          <legend>Rooms (none ticked: all of them)</legend>
          {rooms.map((room) => (
            <TickField
              key={room.id}
              label={room.name}
              isOn={chosen.has(room.id)}
              onChange={(isOn) => {
                const next = new Set(chosen);
                if (isOn) next.add(room.id);
                else next.delete(room.id);
                setChosen(next);
              }}
            />
          ))}
        </fieldset>
        <TextField
          label="Good until"
          hint="Empty: until it is revoked."
          kind="datetime-local"
          value={until}
          onInput={setUntil}
        />
        <p class="actions">
          <button type="button" onClick={onClose}>
            Leave it
          </button>
          <button type="submit" class="main">
            Make the token
          </button>
        </p>
      </form>
    </Dialog>
  );
};
