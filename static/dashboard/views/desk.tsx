/** The help desk: one visitor, found by what its page shows, and what can be done for it. */
import { useState } from "preact/hooks";
import type { VisitorResource } from "../../../src/api/rooms/visitor.ts";
import { sayFailure, type ApiFailure, type CallAnswer } from "../client/answer.ts";
import { endVisitor, findVisitor, helpVisitor } from "../client/desk-api.ts";
import { useAsked } from "../client/use-asked.ts";
import { NumberField, TextField } from "../parts/field.tsx";
import { FailureNotice } from "../parts/notice.tsx";
import { useSession } from "../session.ts";
import { count, plural, timeOf } from "../text/format.ts";
import { happenedWords, STATE_WORDS } from "../text/visitors.ts";

const EVERY_MS = 3_000;
const MINUTES_MAX = 60;

export const DeskView = ({ room }: { readonly room: string }) => {
  const [typed, setTyped] = useState("");
  const [who, setWho] = useState<string | null>(null);
  return (
    <div class="desk">
      <form
        class="card seek"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() !== "") setWho(typed.trim());
        }}
      >
        <TextField
          label="Number, visit or reference"
          hint="What the visitor's page shows: the number, or the eight letters at its foot. Nobody is found by a name or an address: none is kept."
          kind="search"
          value={typed}
          onInput={setTyped}
          maxLength={40}
          isCode={true}
        />
        <p class="actions">
          <button type="submit" class="main">
            Find
          </button>
        </p>
      </form>
      {who !== null && <Found key={`${room}/${who}`} room={room} who={who} />}
    </div>
  );
};

interface FoundProps {
  readonly room: string;
  readonly who: string;
}

const Found = ({ room, who }: FoundProps) => {
  const { client } = useSession();
  const { value, failure, again } = useAsked(
    `${room}/${who}`,
    () => findVisitor(client, room, who),
    EVERY_MS,
  );
  if (value === null) return <NotFound failure={failure} />;
  return (
    <>
      <FailureNotice failure={failure} />
      <VisitorCard room={room} visitor={value} onChanged={again} />
    </>
  );
};

const NotFound = ({ failure }: { readonly failure: ApiFailure | null }) => (
  <div role="status">
    <FailureNotice failure={failure} />
  </div>
);

interface VisitorCardProps {
  readonly room: string;
  readonly visitor: VisitorResource;
  readonly onChanged: () => void;
}

const VisitorCard = ({ room, visitor, onChanged }: VisitorCardProps) => {
  const { client, ask, tell, may } = useSession();
  const [minutes, setMinutes] = useState("10");
  const { number, state, misses, more_minutes_left: left } = visitor;
  // A reference may cease to be known while its visitor is helped; its number never does.
  const who = String(number);
  const told = (answer: CallAnswer<unknown>, done: string): void => {
    if (answer.ok) tell(done);
    else tell(sayFailure(answer), "failed");
    onChanged();
  };
  const giveTime = async (): Promise<void> => {
    const more = Number(minutes);
    told(
      await helpVisitor(client, room, who, { more_minutes: more }),
      `Number ${count(number)} has ${plural(more, "minute")} more.`,
    );
  };
  const callAgain = async (): Promise<void> =>
    told(
      await helpVisitor(client, room, who, { call_again: true }),
      `Missed calls of number ${count(number)} are forgotten.`,
    );
  const end = async (): Promise<void> => {
    const isInside = state === "visiting";
    const isMeant = await ask({
      title: isInside
        ? `End the visit of ${count(number)}?`
        : `Take ${count(number)} out of the line?`,
      says: isInside
        ? [
            "Its visitor is off the site with the next request, and what was in the basket may be lost.",
            "The permit goes to the next in line. It can't be given back.",
          ]
        : ["Its visitor loses the place, and can take a new ticket at the end of the line."],
      action: isInside ? "End the visit" : "Take it out",
    });
    if (!isMeant) return;
    told(
      await endVisitor(client, room, who),
      isInside ? `The visit of ${count(number)} is ended.` : `${count(number)} is out of the line.`,
    );
  };
  const hasTime = (state === "visiting" || state === "called") && left > 0;
  return (
    <article class="card visitor">
      <header class="bar">
        <h2>Number {count(number)}</h2>
        <p class={`standing is-${state}`}>{STATE_WORDS[state]}</p>
      </header>
      <p class="said">{visitor.says}</p>
      {state !== "ended" && may("operate") && (
        <div class="helps">
          {hasTime && (
            <form
              class="more"
              onSubmit={(event) => {
                event.preventDefault();
                void giveTime();
              }}
            >
              <NumberField
                label="Minutes more"
                hint={`1 to ${MINUTES_MAX} at a time; ${count(left)} are left for this visitor.`}
                value={minutes}
                onInput={setMinutes}
                least={1}
                most={Math.min(MINUTES_MAX, left)}
              />
              <button type="submit">Give more time</button>
            </form>
          )}
          <p class="actions">
            {misses > 0 && state !== "visiting" && (
              <button type="button" onClick={() => void callAgain()}>
                Forget {plural(misses, "missed call")}
              </button>
            )}
            <button type="button" onClick={() => void end()}>
              {state === "visiting" ? "End the visit" : "Take out of the line"}
            </button>
          </p>
        </div>
      )}
      <Happened visitor={visitor} />
    </article>
  );
};

const Happened = ({ visitor }: { readonly visitor: VisitorResource }) => (
  <section class="happened">
    <h3>What happened</h3>
    {visitor.happened.length === 0 && <p class="soft">Nothing that is remembered.</p>}
    <ol>
      {visitor.happened.map(({ at, what }) => (
        <li key={`${at}/${what}`}>
          <time dateTime={at}>{timeOf(Date.parse(at))}</time> {happenedWords(what)}
        </li>
      ))}
    </ol>
    <p class="hint">The room remembers since {timeOf(Date.parse(visitor.remembered_since))}.</p>
  </section>
);
