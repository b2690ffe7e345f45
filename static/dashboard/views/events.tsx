import { useState } from "preact/hooks";
import type { PlannedEventResource } from "../../../src/api/events/resource.ts";
import { eventChanges, eventState, type EventStanding } from "../changes/event-words.ts";
import { sayFailure } from "../client/answer.ts";
import { deleteEvent, listEvents, readEvent } from "../client/rooms-api.ts";
import { useAsked } from "../client/use-asked.ts";
import { FailureNotice, Notice } from "../parts/notice.tsx";
import { useSession } from "../session.ts";
import { dayTimeOf } from "../text/format.ts";
import { EventDialog } from "./event-dialog.tsx";

const EVERY_MS = 20_000;

const STATES: Readonly<Record<EventStanding, string>> = {
  planned: "Planned",
  prequeue: "Before its start",
  on: "On now",
  over: "Over",
  suspended: "Suspended",
};

interface EventsViewProps {
  readonly room: string;
  readonly roomName: string;
  /** Another value: somebody changed the room or its events. */
  readonly version: number | null;
}

type Edited = { readonly event: PlannedEventResource | null; readonly etag: string | null };

export const EventsView = ({ room, roomName, version }: EventsViewProps) => {
  const { client, ask, tell, may } = useSession();
  const [edited, setEdited] = useState<Edited | null>(null);
  const { value, failure, again } = useAsked(
    `events/${room}/${version}`,
    () => listEvents(client, room),
    EVERY_MS,
  );
  const now = Date.now();
  const events = (value ?? []).toSorted(
    (a, b) => Date.parse(b.event_start_time) - Date.parse(a.event_start_time),
  );
  const edit = async ({ id }: PlannedEventResource): Promise<void> => {
    const answer = await readEvent(client, room, id);
    if (answer.ok) setEdited({ event: answer.value, etag: answer.etag });
    else tell(sayFailure(answer), "failed");
  };
  const remove = async (event: PlannedEventResource): Promise<void> => {
    const state = eventState(event, Date.now());
    const isOn = state === "on" || state === "prequeue";
    const isMeant = await ask({
      title: `Delete ${event.name}?`,
      says: [
        isOn
          ? "It is on: the room's own settings hold again at once, and its prequeue and draw are over."
          : "It will not take place. Nobody is told of it any more.",
        "It can't be restored; you would make it anew.",
      ],
      action: "Delete the event",
      typed: isOn ? event.name : null,
    });
    if (!isMeant) return;
    const answer = await deleteEvent(client, room, event.id, null);
    if (answer.ok) tell(`${event.name} is deleted.`);
    else tell(sayFailure(answer), "failed");
    again();
  };
  return (
    <section class="card">
      <div class="bar">
        <h2>Events of {roomName}</h2>
        {may("operate") && (
          <button type="button" class="main" onClick={() => setEdited({ event: null, etag: null })}>
            Plan an event
          </button>
        )}
      </div>
      <FailureNotice failure={failure} />
      {value !== null && events.length === 0 && (
        <Notice kind="told">
          Nothing is planned. An event changes the room for a time: its limits, a prequeue before
          the start, an order that is drawn.
        </Notice>
      )}
      <ul class="entries">
        {events.map((event) => (
          <li key={event.id}>
            <p class="when">
              {dayTimeOf(Date.parse(event.event_start_time))} to{" "}
              {dayTimeOf(Date.parse(event.event_end_time))}
            </p>
            <div>
              <h3>
                {event.name} <small class="soft">{STATES[eventState(event, now)]}</small>
              </h3>
              <p class="soft">{eventChanges(event).join(" · ")}</p>
            </div>
            <p class="actions" hidden={!may("operate")}>
              <button
                type="button"
                aria-label={`Edit ${event.name}`}
                onClick={() => void edit(event)}
              >
                Edit
              </button>
              <button
                type="button"
                aria-label={`Delete ${event.name}`}
                onClick={() => void remove(event)}
              >
                Delete
              </button>
            </p>
          </li>
        ))}
      </ul>
      {edited !== null && (
        <EventDialog
          room={room}
          event={edited.event}
          etag={edited.etag}
          onClose={(isChanged) => {
            setEdited(null);
            if (isChanged) again();
          }}
        />
      )}
    </section>
  );
};
