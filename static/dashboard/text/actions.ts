/** What entries of the audit log say, in words; what is not here is shown as it is called. */
const ACTIONS: Readonly<Record<string, string>> = {
  "room-created": "Room made",
  "room-changed": "Settings changed",
  "room-deleted": "Room deleted",
  "room-restored": "Room restored",
  "event-created": "Event planned",
  "event-changed": "Event changed",
  "event-deleted": "Event deleted",
  "rules-changed": "Rules changed",
  "zone-settings-changed": "Settings of every room changed",
  "visit-ended": "Visit ended",
  "visits-ended": "Every visit ended",
  "token-created": "Token made",
  "token-revoked": "Token revoked",
  "key-rotated": "Signing key added",
  "key-revoked": "Signing key revoked",
  "draw-value-entered": "Value of a draw entered",
};

export const actionWords = (action: string): string =>
  ACTIONS[action] ?? action.replaceAll("-", " ").replace(/^./, (first) => first.toUpperCase());
