/** What the audit log is told of changes that the Registry makes. */
import type { OperatorToken } from "../../core/access/token.ts";
import type { AuditAct } from "../../core/audit/entry.ts";
import type { RoomDefinition } from "../../core/definition.ts";
import { fullDifferencesOf, NO_DIFFERENCES } from "../../core/differences.ts";
import type { EventId, RoomEvent } from "../../core/events/event.ts";
import type { BypassRule } from "../../core/rules/bypass-rule.ts";
import { rfc3339 } from "../../core/time.ts";
import type { ZoneSettings } from "../../core/zone-settings.ts";

/** How settings are told: their names are the Worker's. Nothing secret is in it. */
export interface SettingsShown {
  room(room: RoomDefinition): object;
  event(event: RoomEvent): object;
  rule(rule: BypassRule): object;
  zone(settings: ZoneSettings): object;
}

type Action = "created" | "changed" | "deleted";

const actionOf = (before: object | null, after: object | null): Action =>
  before === null ? "created" : after === null ? "deleted" : "changed";

const named = ({ id, name }: RoomDefinition) => ({ id, name });

/** One of both is null where the room is new or gone. */
export const roomAct = (
  shown: SettingsShown,
  before: RoomDefinition | null,
  after: RoomDefinition,
  action = `room-${actionOf(before, after)}`,
): AuditAct => ({
  action,
  room: named(after),
  target: null,
  differences: fullDifferencesOf(before === null ? {} : shown.room(before), shown.room(after)),
});

export const roomDeletedAct = (shown: SettingsShown, room: RoomDefinition): AuditAct => ({
  action: "room-deleted",
  room: named(room),
  target: null,
  differences: fullDifferencesOf(shown.room(room), {}),
});

export const eventAct = (
  shown: SettingsShown,
  id: EventId,
  before: RoomDefinition,
  after: RoomDefinition,
): AuditAct => {
  const [old, now] = [before, after].map(
    ({ events }) => events?.list.find((event) => event.id === id) ?? null,
  );
  const show = (event: RoomEvent | null | undefined) => (event == null ? {} : shown.event(event));
  return {
    action: `event-${actionOf(old ?? null, now ?? null)}`,
    room: named(after),
    target: id,
    differences: fullDifferencesOf(show(old), show(now)),
  };
};

/** By the rule's id; `order` where that changed. */
export const rulesAct = (
  shown: SettingsShown,
  before: RoomDefinition,
  after: RoomDefinition,
): AuditAct => {
  const show = ({ rules }: RoomDefinition): object => ({
    order: (rules?.list ?? []).map(({ id }) => id),
    ...Object.fromEntries((rules?.list ?? []).map((rule) => [rule.id, shown.rule(rule)])),
  });
  return {
    action: "rules-changed",
    room: named(after),
    target: null,
    differences: fullDifferencesOf(show(before), show(after)),
  };
};

export const zoneAct = (
  shown: SettingsShown,
  before: ZoneSettings,
  after: ZoneSettings,
): AuditAct => ({
  action: "zone-settings-changed",
  room: null,
  target: null,
  differences: fullDifferencesOf(shown.zone(before), shown.zone(after)),
});

export const keyAct = (action: "key-rotated" | "key-revoked", kid: string): AuditAct => ({
  action,
  room: null,
  target: kid,
  differences: NO_DIFFERENCES,
});

/** Without its hash: of no use to anybody, and no setting. */
export const tokenAct = (
  action: "token-created" | "token-revoked",
  { id, name, scope, rooms, expiresAt }: OperatorToken,
): AuditAct => {
  const settings = {
    ...{ name, scope, rooms },
    expires_at: expiresAt === null ? null : rfc3339(expiresAt),
  };
  const [before, after] = action === "token-created" ? [{}, settings] : [settings, {}];
  return { action, room: null, target: id, differences: fullDifferencesOf(before, after) };
};
