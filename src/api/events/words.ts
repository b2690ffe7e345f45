/** What each setting of an event does, in a sentence or two; docs/settings.md is made of them. */
export const EVENT_WORDS = {
  name: "The event's name, another for each event of a room.",
  description: "For the operator.",
  event_start_time:
    "From here on what the event sets replaces the room's. Given back as it was sent.",
  event_end_time: "From here on the room's own settings hold again.",
  prequeue_start_time:
    "From here on tickets are taken and nobody is called. At least five minutes before the start; null: no prequeue.",
  shuffle_at_event_start:
    "The numbers that were given out in the prequeue get their places at the start by a draw that anybody can check. Needs a prequeue.",
  suspended: "As if there were no such event.",
  total_active_users: "In place of the room's; null: the room's. Only with `new_users_per_minute`.",
  new_users_per_minute: "In place of the room's; null: the room's. Only with `total_active_users`.",
  session_duration: "In place of the room's; null: the room's.",
  disable_session_renewal: "In place of the room's; null: the room's.",
  queueing_method: "In place of the room's; null: the room's.",
  custom_page_html:
    "In place of the room's; null: the room's. The pages of all events of a room have at most 524,288 bytes together.",
  turnstile_mode: "In place of the room's; null: the room's.",
  turnstile_action: "In place of the room's; null: the room's.",
  seiriken: "What Cloudflare's API lacks.",
} as const;

export const EVENT_SEIRIKEN_WORDS = {
  draw: "Of an event that shuffles, where the public value of its draw comes from: `drand`, a round that is named when the event is made, or `witnesses`, a text that you enter before them. null where nothing is drawn.",
} as const;
