/** An event's limits and pages where it has none of its own, as Cloudflare's API answers them. */
export const NO_EVENT_LIMITS = {
  total_active_users: null,
  new_users_per_minute: null,
  session_duration: null,
  disable_session_renewal: null,
  queueing_method: null,
  custom_page_html: null,
  turnstile_mode: null,
  turnstile_action: null,
};

/** What an event has when it is made with its name and times only. */
export const EVENT_DEFAULTS = {
  description: "",
  prequeue_start_time: null,
  shuffle_at_event_start: false,
  ...NO_EVENT_LIMITS,
};
