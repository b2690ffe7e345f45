/** The words of lines that objects log: the Room, lobbies, locks, the Registry. */
import type { LogEventWords } from "./log-events.ts";

export const OBJECT_LOG_EVENTS = {
  "room-tick": {
    level: "error",
    fields: ["reason"],
    says: "A Room's alarm failed; it comes again in a second.",
    do: "If it goes on, report it: nobody is called meanwhile.",
  },
  "room-alarm": {
    level: "error",
    fields: ["reason"],
    says: "A Room could not set its alarm; the next step sets it.",
    do: "As for `room-tick`.",
  },
  "room-deliver": {
    level: "error",
    fields: ["reason"],
    says: "A Room could not tell a lobby of calls; they are told again with the next batch.",
    do: "Nothing for one.",
  },
  "room-draw": {
    level: "error",
    fields: ["reason"],
    says: "A draw could not be made with the value that had come; the next second tries again.",
    do: "If it goes on, report it.",
  },
  "room-alerts": {
    level: "error",
    fields: ["reason"],
    says: "A Room could not hand its alerts to the Registry; it tries again.",
    do: "If it goes on: look at the Registry.",
  },
  "room-watchers": {
    level: "error",
    fields: ["reason"],
    says: "A Room could not tell those who watch it.",
    do: "Nothing for one: watchers come back by themselves.",
  },
  "room-watchers-tokens": {
    level: "error",
    fields: ["reason"],
    says: "A Room could not ask whether the tokens of its watchers still hold; after a while it closes their sockets.",
    do: "As for `definitions-old`.",
  },
  "room-untold": {
    level: "error",
    fields: ["room", "act", "reason"],
    says: "A change of a room has been kept but could not be told to the Room yet; it is told again until it has arrived.",
    do: "If it goes on for minutes: the room runs by its old settings.",
  },
  "draw-relay": {
    level: "error",
    fields: ["reason"],
    says: "A relay of drand did not give the round; the next one is asked.",
    do: "If it goes on until a minute after the start: the draw falls back as docs/SPEC.md says.",
  },
  "lobby-alarm": {
    level: "error",
    fields: ["reason"],
    says: "A lobby's alarm failed; it comes again.",
    do: "If it goes on, report it.",
  },
  "lobby-batch": {
    level: "error",
    fields: ["reason"],
    says: "A lobby's batch did not reach the Room; it is repeated, and counted once.",
    do: "If it goes on: nobody joins through that lobby; look at the platform's status.",
  },
  "lobby-check": {
    level: "error",
    fields: ["reason"],
    says: "A lobby could not ask the Room about a number.",
    do: "Nothing for one.",
  },
  "lobby-baton": {
    level: "error",
    fields: ["reason"],
    says: "A baton between requests could not be told to the Room; it is told again.",
    do: "Nothing for one.",
  },
  "lobby-give-back": {
    level: "error",
    fields: ["reason"],
    says: "A permit of a request could not be given back at once.",
    do: "Nothing for one: the lease runs out.",
  },
  "lobby-greet": {
    level: "error",
    fields: ["reason"],
    says: "A socket's first message could not be sent.",
    do: "Nothing: the page comes back.",
  },
  "lobby-positions": {
    level: "error",
    fields: ["reason"],
    says: "Positions could not be sent.",
    do: "Nothing for one: the next second sends them.",
  },
  "lobby-broadcast": {
    level: "error",
    fields: ["reason"],
    says: "A message to all could not be sent to somebody.",
    do: "Nothing for one.",
  },
  "webhooks-alarm": {
    level: "error",
    fields: ["reason"],
    says: "The Registry's alarm for webhooks failed; it comes again.",
    do: "If it goes on, report it.",
  },
  "webhooks-run": {
    level: "error",
    fields: ["reason"],
    says: "Sending what waits in the outbox failed.",
    do: "If it goes on, report it.",
  },
  "webhook-send": {
    level: "error",
    fields: ["webhook", "reason"],
    says: "A receiver did not take a message; it is sent again, further and further apart.",
    do: "Look after the receiver.",
  },
  "locks-tick": {
    level: "error",
    fields: ["reason"],
    says: "A shard of locks could not do what was due; it tries again.",
    do: "If it goes on, report it.",
  },
  "locks-alarm": {
    level: "error",
    fields: ["reason"],
    says: "A shard of locks could not set its alarm.",
    do: "As for `locks-tick`.",
  },
  "locks-timer": {
    level: "error",
    fields: ["reason"],
    says: "A shard of locks could not run a timer.",
    do: "As for `locks-tick`.",
  },
  "locks-drop": {
    level: "error",
    fields: ["reason"],
    says: "A shard of locks could not drop what nobody needs any more.",
    do: "Nothing for one.",
  },
} as const satisfies Record<string, LogEventWords>;
