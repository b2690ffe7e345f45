import type { Patch } from "../../sim/faulty.ts";

export interface RequestFault {
  readonly name: string;
  readonly patches: readonly Patch[];
  /** Which comparison has to notice. */
  readonly noticed: RegExp;
}

/** What could go wrong with requests, each thing on its own. */
export const FAULTS: readonly RequestFault[] = [
  {
    name: "one that is sent away stays in line",
    patches: [
      [
        "room/requests.ts",
        "  state.line.markAway(number, now);\n  state.scheduledReturns",
        "  state.scheduledReturns",
      ],
    ],
    noticed: /number \d+|what is answered/,
  },
  {
    name: "one that is sent away and comes back keeps its old moment as well",
    patches: [["room/requests.ts", "  state.scheduledReturns.forget(joined);\n", ""]],
    noticed: /what is answered|told a moment/,
  },
  {
    name: "all who were sent away count, also those behind",
    patches: [
      ["room/scheduled-returns.ts", "return this.#spots.rank(spot);", "return this.#spots.size;"],
    ],
    noticed: /what is answered|moments before/,
  },
  {
    name: "a sliding ring forgets those who were sent away",
    patches: [["ring/limiter.ts", "if (more === 0) return at;", "return at;"]],
    noticed: /what is answered/,
  },
  {
    name: "the return window is a millisecond longer",
    patches: [
      [
        "room/requests.ts",
        "isOver(after(ticket.heardAt, state.limits.returnWindowMs), now)",
        "isOver(after(ticket.heardAt, state.limits.returnWindowMs + 1), now)",
      ],
    ],
    noticed: /what is answered|number \d+|Expected values to be strictly equal/,
  },
  {
    name: "a new ticket is given that is no longer good at its turn",
    patches: [["room/requests.ts", "known === null && isBeyondReturn(state, now)", "known === 0"]],
    noticed: /what is answered/,
  },
  {
    name: "a jump of the clock ends what runs",
    patches: [["room/step.ts", "renewRequests(state, now);\n}", "{}\n}"]],
    noticed: /number \d+|permit \d+|what is answered/,
  },
  {
    name: "a request that was withdrawn starts all the same",
    patches: [
      ["room/requests.ts", "  state.attended.delete(number);\n  state.line", "  state.line"],
    ],
    noticed: /the request of/,
  },
  {
    name: "a lobby that began anew keeps its requests",
    patches: [
      [
        "room/lobbies.ts",
        "if (state.line.lobbyOf(number) === batch.lobby) state.attended.delete(number);",
        "",
      ],
    ],
    noticed: /the request of|who is called|number \d+/,
  },
  {
    name: "the calls of requests are not counted",
    patches: [["room/usher.ts", "  state.calls.count(now);\n  return", "  return"]],
    noticed: /number \d+|what is answered|who is called/,
  },
  {
    name: "a request that is repeated after a crash begins twice",
    patches: [["room/batch.ts", ' && op !== "request"', ""]],
    noticed: /what is answered|who is called|number|Expected values to be strictly equal/,
  },
  {
    name: "a call that was given back still counts",
    patches: [
      [
        "room/usher.ts",
        "  state.permits.takeBack(permit.number);\n  state.calls.giveBack(permit.calledAt);\n  state.line",
        "  state.permits.takeBack(permit.number);\n  state.line",
      ],
    ],
    noticed: /who is called|number \d+|what is answered/,
  },
  {
    name: "moments that were given are forgotten over a crash",
    patches: [
      [
        "room/state.ts",
        "scheduleFor(limits, head?.requestsLast ?? null)",
        "scheduleFor(limits, null)",
      ],
    ],
    noticed: /what is answered/,
  },
  {
    name: "a second request of a number leaves the first one waiting",
    patches: [
      [
        "room/requests.ts",
        "  state.attended.delete(number);\n  state.line.markAway(number, now);\n  state.scheduledReturns",
        "  state.line.markAway(number, now);\n  state.scheduledReturns",
      ],
    ],
    noticed: /the request of/,
  },
  {
    name: "a baton that a lobby passed is not counted as a start",
    patches: [["room/batons.ts", "  countStart(state, now);\n", ""]],
    noticed: /what is answered|who is called|number \d+|Expected values/,
  },
  {
    name: "a baton leaves the call of its taker open",
    patches: [["room/batons.ts", 'if (taker?.state === "called") uncall(state, taker, now);', ""]],
    noticed: /invariant/,
  },
  {
    name: "a visit that got two permits keeps both",
    patches: [
      [
        "room/batons.ts",
        'if (giver !== null) endVisit(state, giver, "finished", now);\n    return visit',
        "return visit",
      ],
    ],
    noticed: /number \d+|what is answered|who is called/,
  },
  {
    name: "a lobby is told whom to let in although another lobby has somebody",
    patches: [["room/batons.ts", "if (line.unspentOf(lobby) !== line.unspent) return null;", ""]],
    noticed: /what is answered/,
  },
];
