/**
 * The room over the demo shop's ticket pages, in the management API's shape. Small limits, so that
 * a line is soon seen; few enough that a crowd of 200 is through in half a minute.
 */
export const demoRoom = {
  name: "shop",
  description: "The demo shop's tickets",
  host: "*",
  path: "/tickets",
  additional_routes: [
    { host: "*", path: "/checkout" },
    { host: "*", path: "/api/seats" },
    { host: "*", path: "/live" },
  ],
  total_active_users: 20,
  new_users_per_minute: 600,
  session_duration: 1,
  json_response_enabled: true,
  seiriken: {
    claim_within_seconds: 30,
    return_window_seconds: 600,
    appearance: { name: "Night Train", accent: "#a8392f" },
  },
} as const;
