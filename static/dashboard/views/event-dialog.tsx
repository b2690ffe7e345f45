import { useState } from "preact/hooks";
import type { PlannedEventResource } from "../../../src/api/events/resource.ts";
import { wholeOf } from "../changes/acts.ts";
import { eventBody } from "../changes/event-words.ts";
import { makeEvent, patchEvent } from "../client/rooms-api.ts";
import { Dialog } from "../parts/dialog.tsx";
import { NumberField, TextField, TickField } from "../parts/field.tsx";
import { FailureNotice, Notice } from "../parts/notice.tsx";
import type { ApiFailure } from "../client/answer.ts";
import { useSession } from "../session.ts";
import { fromLocalInput, toLocalInput, zoneOf } from "../text/format.ts";

interface EventDialogProps {
  readonly room: string;
  /** Null: a new one. */
  readonly event: PlannedEventResource | null;
  readonly etag: string | null;
  readonly onClose: (isChanged: boolean) => void;
}

const COUNT_MAX = 100_000_000;
const HOUR_MS = 3_600_000;

const localOf = (text: string | null | undefined): string =>
  text == null ? "" : toLocalInput(Date.parse(text));

export const EventDialog = ({ room, event, etag, onClose }: EventDialogProps) => {
  const { client, tell } = useSession();
  const nextHour = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + HOUR_MS;
  const [name, setName] = useState(event?.name ?? "");
  const [start, setStart] = useState(localOf(event?.event_start_time) || toLocalInput(nextHour));
  const [end, setEnd] = useState(
    localOf(event?.event_end_time) || toLocalInput(nextHour + 2 * HOUR_MS),
  );
  const [prequeue, setPrequeue] = useState(localOf(event?.prequeue_start_time));
  const [shuffle, setShuffle] = useState(event?.shuffle_at_event_start ?? false);
  const [suspended, setSuspended] = useState(event?.suspended ?? false);
  const [permits, setPermits] = useState(String(event?.total_active_users ?? ""));
  const [perMinute, setPerMinute] = useState(String(event?.new_users_per_minute ?? ""));
  const [problem, setProblem] = useState<string | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);

  const save = async (): Promise<void> => {
    const made = eventBody({
      name: name.trim(),
      startsAt: fromLocalInput(start),
      endsAt: fromLocalInput(end),
      prequeueAt: fromLocalInput(prequeue),
      shuffle,
      suspended,
      permits: wholeOf(permits, 1, COUNT_MAX),
      perMinute: wholeOf(perMinute, 1, COUNT_MAX),
    });
    setFailure(null);
    setProblem("problem" in made ? made.problem : null);
    if ("problem" in made) return;
    const answer =
      event === null
        ? await makeEvent(client, room, made.body)
        : await patchEvent(client, room, event.id, made.body, etag);
    if (!answer.ok) return setFailure(answer);
    tell(`${answer.value.name} is ${event === null ? "planned" : "changed"}.`);
    onClose(true);
  };

  return (
    <Dialog
      title={event === null ? "Plan an event" : `Edit ${event.name}`}
      onClose={() => onClose(false)}
    >
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          void save();
        }}
      >
        <p class="soft">Times are {zoneOf(Date.now())}.</p>
        <TextField label="Name" value={name} onInput={setName} maxLength={64} isRequired={true} />
        <div class="row">
          <TextField
            label="Start"
            kind="datetime-local"
            value={start}
            onInput={setStart}
            isRequired={true}
          />
          <TextField
            label="End"
            kind="datetime-local"
            value={end}
            onInput={setEnd}
            isRequired={true}
          />
        </div>
        <TextField
          label="Prequeue from"
          kind="datetime-local"
          hint="From then on numbers are given and nobody is called. At least five minutes before the start; empty: no prequeue."
          value={prequeue}
          onInput={setPrequeue}
        />
        <TickField
          label="Draw the order at the start, so that coming early gives no advantage"
          isOn={shuffle}
          onChange={setShuffle}
        />
        <div class="row">
          <NumberField
            label="On the site"
            hint="empty: as the room has it"
            value={permits}
            onInput={setPermits}
            least={1}
            most={COUNT_MAX}
            mayBeEmpty={true}
          />
          <NumberField
            label="In a minute"
            hint="empty: as the room has it"
            value={perMinute}
            onInput={setPerMinute}
            least={1}
            most={COUNT_MAX}
            mayBeEmpty={true}
          />
        </div>
        <TickField
          label="Suspended: as if it were not planned"
          isOn={suspended}
          onChange={setSuspended}
        />
        {problem !== null && <Notice kind="failed">{problem}</Notice>}
        {failure?.status === 412 ? (
          <Notice kind="failed">
            Somebody else has changed this event since you opened it. Close this, and open it again
            to see theirs.
          </Notice>
        ) : (
          <FailureNotice failure={failure} />
        )}
        <p class="actions">
          <button type="button" onClick={() => onClose(false)}>
            Leave it
          </button>
          <button type="submit" class="main">
            {event === null ? "Plan it" : "Save"}
          </button>
        </p>
      </form>
    </Dialog>
  );
};
