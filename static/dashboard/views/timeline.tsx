import { useEffect, useState } from "preact/hooks";
import type { AuditEntryResource } from "../../../src/api/audit/resource.ts";
import { sayFailure, type ApiFailure } from "../client/answer.ts";
import { undoOf, type Undo } from "../changes/undo.ts";
import { readAudit } from "../client/audit-api.ts";
import { ChangesTable } from "../parts/changes-table.tsx";
import { FailureNotice, Notice } from "../parts/notice.tsx";
import { useSession } from "../session.ts";
import { actionWords } from "../text/actions.ts";
import { dayTimeOf, plural } from "../text/format.ts";

interface TimelineProps {
  /** Null: what concerns every room and none, too. */
  readonly room: string | null;
  /** Another value: something was changed. */
  readonly version: number | null;
}

interface Pages {
  readonly entries: readonly AuditEntryResource[];
  readonly nextBefore: number | null;
}

const EVERY_MS = 10_000;

export const Timeline = ({ room, version }: TimelineProps) => {
  const { client } = useSession();
  const [pages, setPages] = useState<Pages | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [round, setRound] = useState(0);
  const again = (): void => setRound((count) => count + 1);
  useEffect(() => {
    let isOver = false;
    const read = async (): Promise<void> => {
      const answer = await readAudit(client, room, null);
      if (isOver) return;
      setFailure(answer.ok ? null : answer);
      if (answer.ok)
        setPages((before) => withNewest(before, answer.value.entries, answer.value.next_before));
    };
    void read();
    const timer = setInterval(() => void read(), EVERY_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [client, room, version, round]);
  const more = async (before: number): Promise<void> => {
    const answer = await readAudit(client, room, before);
    setFailure(answer.ok ? null : answer);
    if (answer.ok)
      setPages((known) => ({
        entries: [...(known?.entries ?? []), ...answer.value.entries],
        nextBefore: answer.value.next_before,
      }));
  };
  const next = pages?.nextBefore ?? null;
  return (
    <section class="card">
      <h2>What was changed</h2>
      <FailureNotice failure={failure} />
      {pages !== null && pages.entries.length === 0 && (
        <Notice kind="told">Nothing was changed yet.</Notice>
      )}
      <ol class="entries">
        {pages?.entries.map((entry) => (
          <li key={entry.id}>
            <Entry entry={entry} isRoomNamed={room === null} onDone={again} />
          </li>
        ))}
      </ol>
      {next !== null && (
        <p class="actions">
          <button type="button" onClick={() => void more(next)}>
            Earlier ones
          </button>
        </p>
      )}
    </section>
  );
};

/** The newest page, before what was read further back. */
const withNewest = (
  known: Pages | null,
  newest: readonly AuditEntryResource[],
  nextBefore: number | null,
): Pages => {
  const last = newest.at(-1)?.id ?? 0;
  const further = (known?.entries ?? []).filter(({ id }) => id < last);
  return further.length === 0
    ? { entries: newest, nextBefore }
    : { entries: [...newest, ...further], nextBefore: known?.nextBefore ?? null };
};

const Entry = ({
  entry,
  isRoomNamed,
  onDone,
}: {
  readonly entry: AuditEntryResource;
  readonly isRoomNamed: boolean;
  readonly onDone: () => void;
}) => {
  const { client, ask, tell, may } = useSession();
  const { at, by, action, room, target, changes, left_out: leftOut, network, reference } = entry;
  const paths = Object.keys(changes);
  const undo = undoOf(entry);
  const takeBack = async ({ says, send }: Undo): Promise<void> => {
    const turned = Object.fromEntries(
      Object.entries(changes).map(([path, [from, now]]) => [path, [now, from] as const]),
    );
    const isMeant = await ask({
      title: "Take this change back?",
      says: [`${actionWords(action)} by ${by.name}, ${dayTimeOf(Date.parse(at))}.`, says],
      more: <ChangesTable changes={turned} />,
      action: "Take it back",
    });
    if (!isMeant) return;
    const answer = await send(client);
    if (answer.ok) tell("The change is taken back.");
    else tell(sayFailure(answer), "failed");
    onDone();
  };
  return (
    <>
      <p class="when">{dayTimeOf(Date.parse(at))}</p>
      <div>
        <h3>
          {actionWords(action)}
          {isRoomNamed && room !== null && <small class="soft"> {room.name}</small>}
          {target !== null && <small class="soft code"> {target}</small>}
        </h3>
        <p class="soft">
          by {by.name}
          {network !== null && `, from ${network}`}, reference <span class="code">{reference}</span>
        </p>
        {paths.length > 0 && (
          <details>
            <summary>
              {plural(paths.length, "setting")}: {paths.slice(0, 3).join(", ")}
            </summary>
            <ChangesTable changes={changes} />
          </details>
        )}
        {leftOut.length > 0 && <p class="soft">Too long to be kept: {leftOut.join(", ")}</p>}
      </div>
      <p class="actions">
        {undo !== null && may(undo.needs) && (
          <button
            type="button"
            aria-label={`Take back: ${actionWords(action)}, ${dayTimeOf(Date.parse(at))}`}
            onClick={() => void takeBack(undo)}
          >
            Take back
          </button>
        )}
      </p>
    </>
  );
};
