import { useState } from "preact/hooks";
import type { RoomResource } from "../../../src/api/rooms/resource.ts";
import type { LiveMessage } from "../../../src/core/live/message.ts";
import {
  closeAct,
  guardAct,
  messageAct,
  pauseAct,
  reopenAct,
  resumeAct,
  revokeAllAct,
  revokeOneAct,
  suspendAct,
  wholeOf,
} from "../changes/acts.ts";
import { useSteering, type Steer } from "../changes/use-steering.tsx";
import { revokeAll, revokeVisit } from "../client/rooms-api.ts";
import type { AskedState } from "../client/use-asked.ts";
import { AreaField, NumberField } from "../parts/field.tsx";
import { useSession } from "../session.ts";
import { foreseen } from "./foresight.tsx";
import { LimitsForm } from "./limits-form.tsx";

const WORDS_MAX = 1_000;

interface ControlsProps {
  readonly settings: AskedState<RoomResource>;
  readonly message: LiveMessage | null;
}

/** What steers the room, beside what is seen of it. */
export const Controls = ({ settings, message }: ControlsProps) => {
  const steer = useSteering(settings);
  const room = settings.value;
  if (room === null) return <aside class="controls" aria-label="Controls" />;
  const parts = { room, message, steer };
  return (
    <aside class="controls" aria-label="Controls">
      <Doors {...parts} />
      <LimitsForm key={limitsKey(room)} {...parts} />
      <Words key={`${room.seiriken.message}/${room.seiriken.closed}`} {...parts} />
      <Revoking {...parts} />
    </aside>
  );
};

/** When somebody else changes the limits, the form begins anew from theirs. */
const limitsKey = (room: RoomResource): string =>
  [room.total_active_users, room.new_users_per_minute, room.seiriken.starts_per_second].join();

export interface ControlProps {
  readonly room: RoomResource;
  readonly message: LiveMessage | null;
  readonly steer: Steer;
}

const Doors = ({ room, message, steer }: ControlProps) => {
  const paused = room.queue_all ? resumeAct(message) : pauseAct(message);
  const open = room.suspended ? guardAct() : suspendAct(message);
  return (
    <section class="card">
      <h2>Doors</h2>
      <p class="soft">
        {room.queue_all ? "You have paused this room." : "Nothing is paused."}
        {room.suspended && " You have suspended it: everybody goes through."}
      </p>
      <p class="actions">
        <button
          type="button"
          class="main"
          onClick={() => void steer(paused, foreseen(message, paused))}
        >
          {paused.action}
        </button>
        <button type="button" onClick={() => void steer(open, foreseen(message, open))}>
          {open.action}
        </button>
      </p>
    </section>
  );
};

const Words = ({ room, message, steer }: ControlProps) => {
  const [words, setWords] = useState(room.seiriken.message ?? "");
  const [closing, setClosing] = useState(room.seiriken.closed ?? "");
  const isClosed = (room.seiriken.closed ?? "") !== "";
  const said = words.trim() === "" ? null : words.trim();
  const isSaid = said === (room.seiriken.message ?? null);
  return (
    <section class="card">
      <h2>Words</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSaid) void steer(messageAct(said));
        }}
      >
        <AreaField
          label="Message to those who wait"
          value={words}
          onInput={setWords}
          maxLength={WORDS_MAX}
        />
        <p class="actions">
          <button type="submit" disabled={isSaid}>
            {said === null && !isSaid ? "Take the message away" : "Show the message"}
          </button>
        </p>
      </form>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const act = isClosed ? reopenAct(message) : closeAct(closing.trim(), message);
          if (isClosed || closing.trim() !== "") void steer(act, foreseen(message, act));
        }}
      >
        {isClosed ? (
          <p class="said">
            Closed with the words <q>{room.seiriken.closed}</q>
          </p>
        ) : (
          <AreaField
            label="Words to close the room with"
            value={closing}
            onInput={setClosing}
            maxLength={WORDS_MAX}
          />
        )}
        <p class="actions">
          <button type="submit" disabled={!isClosed && closing.trim() === ""}>
            {isClosed ? "Open again" : "Close the room"}
          </button>
        </p>
      </form>
    </section>
  );
};

const VISIT_MAX = 999_999_999;

const Revoking = ({ room, message, steer }: ControlProps) => {
  const { client } = useSession();
  const [visit, setVisit] = useState("");
  const number = wholeOf(visit, 1, VISIT_MAX);
  return (
    <section class="card">
      <h2>Visits</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (number === null) return;
          const call = () => revokeVisit(client, room.id, number);
          void steer(revokeOneAct(number), null, call).then((isDone) => isDone && setVisit(""));
        }}
      >
        <NumberField
          label="Number of a visit"
          value={visit}
          onInput={setVisit}
          least={1}
          most={VISIT_MAX}
          mayBeEmpty={true}
        />
        <p class="actions">
          <button type="submit" disabled={number === null}>
            End this visit
          </button>
          <button
            type="button"
            onClick={() =>
              void steer(revokeAllAct(message), null, () => revokeAll(client, room.id))
            }
          >
            End every visit
          </button>
        </p>
      </form>
    </section>
  );
};
