import type { ComponentChildren } from "preact";
import { useCallback } from "preact/hooks";
import type { RoomResource } from "../../../src/api/rooms/resource.ts";
import { differencesOf } from "../../../src/core/differences.ts";
import { sayFailure, type CallAnswer } from "../client/answer.ts";
import { patchRoom, readRoom } from "../client/rooms-api.ts";
import type { AskedState } from "../client/use-asked.ts";
import { ChangesTable } from "../parts/changes-table.tsx";
import { useSession } from "../session.ts";
import type { Act } from "./acts.ts";

/** Does what an act says, having asked as firmly as it wants. True: it is done. */
export type Steer = (act: Act, more?: ComponentChildren, call?: OtherCall) => Promise<boolean>;
type OtherCall = () => Promise<CallAnswer<unknown>>;

const CHANGED_MEANWHILE = 412;

export const useSteering = (settings: AskedState<RoomResource>): Steer => {
  const { client, ask, tell } = useSession();
  const { value: room, etag, again } = settings;
  return useCallback(
    async (act, more, call) => {
      if (room === null) return false;
      if (act.asking !== "at-once") {
        const { title, says, action, asking } = act;
        const typed = asking === "typed" ? room.name : null;
        if (!(await ask({ title, says, action, typed, more }))) return false;
      }
      let answer: CallAnswer<unknown>;
      if (act.patch === null)
        answer = (await call?.()) ?? { ok: true, value: null, etag, notes: [] };
      else {
        answer = await patchRoom(client, room.id, act.patch, etag);
        if (!answer.ok && answer.status === CHANGED_MEANWHILE) {
          const now = await readRoom(client, room.id);
          if (!now.ok) answer = now;
          else {
            again();
            const { changes } = differencesOf(room, now.value);
            const isMeant = await ask({
              title: "Somebody else changed this room meanwhile",
              says: ["Nothing of yours was done yet. This is what they changed:"],
              more: <ChangesTable changes={changes} />,
              action: `${act.action} all the same`,
            });
            if (!isMeant) return false;
            answer = await patchRoom(client, room.id, act.patch, now.etag);
          }
        }
      }
      again();
      if (answer.ok) tell([act.done, ...answer.notes].join(" "));
      else tell(sayFailure(answer), "failed");
      return answer.ok;
    },
    [room, etag, client, ask, tell, again],
  );
};
