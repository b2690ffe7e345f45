/** What each setting of a webhook does, and what each alert says; docs are made of them. */
import type { AlertType } from "../../core/alerts/alert.ts";

export const WEBHOOK_WORDS = {
  name: "For operators.",
  url: "Where alerts are posted: https, or http to this machine itself. No user or password in it, no fragment.",
  types: "Which alerts; null: all.",
  rooms:
    "Of which rooms, by name or id (answers have ids); null: of all, and what belongs to no room.",
  enabled: "false: nothing new is noted for it, and what waits is kept back.",
} as const;

/** A sentence for each. */
export const ALERT_WORDS: Readonly<Record<AlertType, string>> = {
  "line.began": "People wait.",
  "line.ended": "Nobody waits any more.",
  "wait.high": "A newcomer would wait longer than `wait_minutes`.",
  "wait.normal": "A newcomer would wait much less than that again.",
  "limit.reached": "People wait because a limit is used up.",
  "limit.eased": "Nobody waits for that limit any more.",
  "no_shows.high": "Many of those called do not come.",
  "no_shows.normal": "Those called come again.",
  "origin.failing": "Many of the origin's answers are errors.",
  "origin.recovered": "The origin answers again.",
  "pace.lowered": "Something but the operator keeps the limits down.",
  "pace.restored": "The operator's limits hold again.",
  "room.closed": "A signal has closed the room: nothing is left.",
  "room.opened": "A room that a signal had closed is open again.",
  "event.prequeue": "The prequeue of an event is open.",
  "event.drawing": "An event has started, and its order is being drawn.",
  "event.running": "An event runs.",
  "event.ended": "An event is over, or was taken off.",
  "settings.changed": "Somebody changed something.",
  "webhook.test": "Somebody tries the webhook.",
};
