/** How a change of the audit log is taken back: which call does it, what it leads to, and who may. */
import type { AuditEntryResource } from "../../../src/api/audit/resource.ts";
import { takenBack } from "../../../src/api/audit/take-back.ts";
import type { Scope } from "../../../src/core/access/scopes.ts";
import type { Changes } from "../../../src/core/differences.ts";
import type { CallAnswer } from "../client/answer.ts";
import { API, ZONE, type ApiClient } from "../client/client.ts";

export interface Undo {
  readonly needs: Scope;
  /** What will happen. */
  readonly says: string;
  readonly send: (client: Pick<ApiClient, "ask">) => Promise<CallAnswer<unknown>>;
}

const OLD_VALUES = "What was changed gets its old values again, whatever was changed since.";

/** Null: nobody can take it back, or what stood before was too long to be kept. */
export const undoOf = (entry: AuditEntryResource): Undo | null => {
  const { action, room, changes } = entry;
  if (action === "room-deleted" && room !== null)
    return {
      needs: "admin",
      says: "The room comes back with its numbers, if it was deleted within a day.",
      send: (client) => client.ask(`${API}/rooms/${room.id}/restore`, { method: "POST" }),
    };
  if (entry.left_out.length > 0 || Object.keys(changes).length === 0) return null;
  if (action === "zone-settings-changed")
    return patch("admin", `${ZONE}/waiting_rooms/settings`, changes);
  return room === null ? null : undoInRoom(entry, `${ZONE}/waiting_rooms/${room.id}`);
};

const patch = (needs: Scope, path: string, changes: Changes): Undo => ({
  needs,
  says: OLD_VALUES,
  send: (client) => client.ask(path, { method: "PATCH", body: takenBack(changes) }),
});

const undoInRoom = ({ action, target, changes }: AuditEntryResource, room: string): Undo | null => {
  const event = target === null ? null : `${room}/events/${encodeURIComponent(target)}`;
  switch (action) {
    case "room-changed":
      return patch("operate", room, changes);
    case "rules-changed":
      return {
        needs: "operate",
        says: "The rules that were changed are as they were; others stay.",
        send: (client) => setRulesBack(client, `${room}/rules`, changes),
      };
    case "event-changed":
      return event === null ? null : patch("operate", event, changes);
    case "event-created":
      return event === null
        ? null
        : {
            needs: "operate",
            says: "The event is deleted. If it is on, the room's own settings hold again at once.",
            send: (client) => client.ask(event, { method: "DELETE" }),
          };
    case "event-deleted":
      return {
        needs: "operate",
        says: "The event is made anew as it was planned, under a new id.",
        send: (client) =>
          client.ask(`${room}/events`, { method: "POST", body: takenBack(changes) }),
      };
    default:
      return null;
  }
};

/** Of a rule, what the list takes. */
interface ListedRule {
  readonly id: string;
  readonly action: string;
  readonly expression: string;
  readonly description: string;
  readonly enabled: boolean;
}

/** One that stands keeps its id; one that is gone is made anew. */
type WantedRule = Omit<ListedRule, "id"> & { readonly id?: string };

const setRulesBack = async (
  client: Pick<ApiClient, "ask">,
  path: string,
  changes: Changes,
): Promise<CallAnswer<unknown>> => {
  const standing = await client.ask<readonly ListedRule[]>(path);
  if (!standing.ok) return standing;
  return client.ask(path, {
    method: "PUT",
    body: rulesBefore(standing.value, changes),
    ifMatch: standing.etag,
  });
};

const BYPASS = "bypass_waiting_room";

/** The list as it stood: paths begin with a rule's id, and `order` lists the ids. */
export const rulesBefore = (
  standing: readonly ListedRule[],
  { order, ...ofRules }: Changes,
): readonly WantedRule[] => {
  const rules = new Map<string, WantedRule>(
    standing.map(({ id, expression, description, enabled }) => [
      id,
      { id, action: BYPASS, expression, description, enabled },
    ]),
  );
  for (const [id, settings] of Object.entries(takenBack(ofRules))) {
    const before = valuesIn(settings);
    if (Object.keys(before).length === 0) rules.delete(id);
    else
      rules.set(id, {
        ...{ action: BYPASS, expression: "", description: "", enabled: true },
        ...rules.get(id),
        ...before,
      });
  }
  const listed = order?.[0];
  const ids = Array.isArray(listed) ? (listed as readonly string[]) : [...rules.keys()];
  const others = [...rules.keys()].filter((id) => !ids.includes(id));
  return [...ids, ...others].flatMap((id) => rules.get(id) ?? []);
};

/** Without what there was not. */
const valuesIn = (settings: unknown): object =>
  typeof settings === "object" && settings !== null
    ? Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null))
    : {};
