import { useState } from "preact/hooks";
import type { RoomOverview } from "../../../src/api/rooms/overview.ts";
import { readOverview } from "../client/rooms-api.ts";
import { useAsked } from "../client/use-asked.ts";
import { Bars } from "../parts/bars.tsx";
import { TextField } from "../parts/field.tsx";
import { ModeBadge } from "../parts/mode-badge.tsx";
import { FailureNotice, Notice } from "../parts/notice.tsx";
import { hrefOf } from "../route.ts";
import { useSession } from "../session.ts";
import { count, plural, rate, timeOf } from "../text/format.ts";

const EVERY_MS = 2_000;
/** Fewer are seen at a glance. */
const SEARCHED_FROM = 9;

export const RoomsView = () => {
  const { client } = useSession();
  const { value, failure, at } = useAsked("rooms", () => readOverview(client), EVERY_MS);
  const [wanted, setWanted] = useState("");
  const rooms = (value?.rooms ?? []).filter(({ name, host, path }) =>
    `${name} ${host}${path}`.toLowerCase().includes(wanted.trim().toLowerCase()),
  );
  return (
    <main class="rooms">
      <header class="bar">
        <h1>Rooms</h1>
        <p class="soft">
          {value === null
            ? "Asking"
            : `${plural(value.total, "room")}, as of ${timeOf(at ?? Number.NaN)}`}
        </p>
      </header>
      <FailureNotice failure={failure} />
      {value !== null && value.total > value.rooms.length && (
        <Notice kind="told">
          The first {count(value.rooms.length)} of {count(value.total)} rooms are shown.
        </Notice>
      )}
      {value !== null && value.total === 0 && (
        <Notice kind="told">
          There is no room yet. Make one with npm run rooms, or by the management API.
        </Notice>
      )}
      {value !== null && value.rooms.length >= SEARCHED_FROM && (
        <TextField
          label="Find a room by name, host or path"
          kind="search"
          value={wanted}
          onInput={setWanted}
        />
      )}
      <ul class="cards">
        {rooms.map((room) => (
          <li key={room.id}>
            <RoomCard room={room} />
          </li>
        ))}
      </ul>
    </main>
  );
};

const RoomCard = ({ room }: { readonly room: RoomOverview }) => {
  const { status, starts_last_minute: starts } = room;
  const figures = status?.seiriken ?? null;
  const entered = starts.reduce((sum, starting) => sum + starting, 0);
  return (
    <article class={`card ticket-card mode-${figures?.mode ?? "gone"}`}>
      <header>
        <h2>
          <a href={hrefOf({ name: "room", room: room.id, tab: "now" })}>{room.name}</a>
        </h2>
        <ModeBadge mode={figures?.mode ?? null} />
      </header>
      <p class="where code">
        {room.host}
        {room.path}
      </p>
      <dl class="trio">
        <div class="lead">
          <dt>Waiting</dt>
          <dd>{count(figures?.waiting)}</dd>
        </div>
        <div>
          <dt>On the site</dt>
          <dd>
            {count(figures?.visiting)}
            <small> of {count(figures?.permits)}</small>
          </dd>
        </div>
        <div>
          <dt>Entered, 60 s</dt>
          <dd>{starts.length === 0 ? "–" : count(entered)}</dd>
        </div>
      </dl>
      <Bars
        values={starts}
        height={28}
        label={`Entered in each of the last 60 seconds: ${count(entered)} together, ${count(Math.max(0, ...starts))} at most in one.`}
      />
      <p class="stub">
        <span>{waitOf(room)}</span>
        <span>{figures === null ? "" : `${rate(figures.entries_per_minute)} a minute`}</span>
        <span>{figures?.event === undefined ? "" : `Event ${figures.event.name}`}</span>
      </p>
    </article>
  );
};

const waitOf = ({ status }: RoomOverview): string => {
  if (status === null) return "No answer from this room";
  const minutes = status.max_estimated_time_minutes;
  if (status.seiriken.waiting === 0) return "Nobody waits";
  return minutes === 0 ? "Wait not known" : `Wait up to ${count(minutes)} min`;
};
