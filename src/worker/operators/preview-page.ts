/**
 * What a preview shows: a sample visitor, in the state that the address asks for. The parameters are
 * Cloudflare's (developers.cloudflare.com/api, "Create a custom waiting room page preview"), and `state`.
 */
import { after, instant, rfc3339, SECOND_MS } from "../../core/time.ts";
import { minutesInWords } from "../admission/minutes-in-words.ts";
import { pageVariables } from "../admission/own-page.ts";
import type { CfWaitingRoom } from "../admission/own-page.ts";
import type { QueuePageInput } from "../page/index.ts";
import { ownScript } from "../page/own-script.ts";
import { ownTemplate } from "../page/own-template.ts";
import type { PageVariables } from "../page/own-template.ts";

const METHODS = ["fifo", "random", "passthrough", "reject"] as const;
const STATES = ["waiting", "taking", "called", "away", "paused", "closed"] as const;
const WAIT_MINUTES = 10;
const WAIT_MINUTES_MAX = 100_000;
const EVENT_MINUTES = 15;
const REFRESH_SECONDS = 20;
const AHEAD = 42;
const AMONG = 4_000;
const NUMBER = 1_248;
const SAMPLE_AT = instant(Date.UTC(2026, 0, 1, 12));

/** A parameter that is none of these is not there. */
const chosen = <const T extends string>(given: string | null, from: readonly T[], usual: T): T =>
  from.find((one) => one === given) ?? usual;

interface Sample {
  readonly method: (typeof METHODS)[number];
  readonly state: (typeof STATES)[number];
  readonly event: "none" | "prequeueing" | "started";
  readonly shuffles: boolean;
  readonly isFull: boolean;
  readonly waitMinutes: number;
}

const sampleOf = (query: URLSearchParams): Sample => {
  const event = chosen(query.get("event"), ["none", "prequeueing", "started"], "none");
  const isForced = query.get("force_queue") === "true" || event === "prequeueing";
  const minutes = Number(query.get("waitTime"));
  const isSpan = Number.isInteger(minutes) && minutes > 0 && minutes <= WAIT_MINUTES_MAX;
  return {
    method: chosen(query.get("queueing_method"), METHODS, "fifo"),
    state: chosen(query.get("state"), STATES, isForced ? "paused" : "waiting"),
    event,
    shuffles: event !== "none" && query.get("shuffle_at_event_start") === "true",
    isFull: query.get("queue_is_full") === "true",
    waitMinutes: isSpan ? minutes : WAIT_MINUTES,
  };
};

const waitingRoomOf = ({ method, state, event, shuffles, isFull, waitMinutes }: Sample) => {
  const isKnown = state !== "paused" && state !== "closed" && !isFull;
  const waitTime = isKnown ? waitMinutes : 0;
  const untilEvent = (phase: Sample["event"]) => (event === phase ? EVENT_MINUTES : 0);
  const textOf = (minutes: number) => (minutes === 0 ? "unavailable" : minutesInWords(minutes));
  const untilStart = untilEvent("prequeueing");
  const untilEnd = untilEvent("started") + 2 * untilStart;
  return {
    inWaitingRoom: true,
    waitTimeKnown: isKnown,
    waitTime,
    waitTime25Percentile: Math.ceil(waitTime / 2),
    waitTime50Percentile: waitTime,
    waitTime75Percentile: Math.ceil(1.5 * waitTime),
    waitTimeFormatted: textOf(waitTime),
    queueIsFull: isFull,
    queueAll: state === "paused",
    lastUpdated: rfc3339(SAMPLE_AT),
    refreshIntervalSeconds: method === "reject" ? 0 : REFRESH_SECONDS,
    queueingMethod: method,
    isFIFOQueue: method === "fifo",
    isRandomQueue: method === "random",
    isPassthroughQueue: method === "passthrough",
    isRejectQueue: method === "reject",
    isEventActive: event !== "none",
    isEventPrequeueing: event === "prequeueing",
    timeUntilEventStart: untilStart,
    timeUntilEventStartFormatted: textOf(untilStart),
    timeUntilEventEnd: untilEnd,
    timeUntilEventEndFormatted: textOf(untilEnd),
    shuffleAtEventStart: shuffles,
  } satisfies CfWaitingRoom;
};

const ticketOf = ({ method, state, waitMinutes }: Sample): QueuePageInput["ticket"] => {
  if (state === "taking" || state === "closed" || method === "reject") return null;
  const seconds = 60 * waitMinutes;
  return {
    number: NUMBER,
    state: state === "paused" ? "waiting" : state,
    ...(method === "random" ? { ahead: null, among: AMONG } : { ahead: AHEAD }),
    eta: { known: true, seconds, low: seconds / 2, high: 1.5 * seconds },
    claim_by: null,
    poll_after_seconds: REFRESH_SECONDS,
  };
};

const eventOf = ({ event, shuffles }: Sample): NonNullable<QueuePageInput["event"]> | null => {
  if (event === "none") return null;
  const phase = event === "prequeueing" ? "prequeue" : "running";
  const opensInMs = phase === "prequeue" ? EVENT_MINUTES * 60 * SECOND_MS : 0;
  const startsAt = rfc3339(after(SAMPLE_AT, opensInMs));
  const told = { id: "0".repeat(32), phase, starts_at: startsAt, shuffle: shuffles } as const;
  return { told, phase, opensInMs, opensAt: null };
};

const inputOf = (sample: Sample): QueuePageInput => ({
  room: { name: "preview", id: "0".repeat(32) },
  appearance: { name: null, accent: null, logo: null },
  languages: "en",
  mode: sample.state === "paused" || sample.state === "closed" ? sample.state : "queues",
  message: "This is where your message stands.",
  closed: "This is where the text of a closed room stands.",
  ticket: ticketOf(sample),
  to: "/",
  formLost: false,
  refreshSeconds: REFRESH_SECONDS,
  cookiesMissing: false,
  reference: "PREV-IEW2",
  nonce: "",
  returnWindowSeconds: 3_600,
  claimWithinSeconds: 60,
  sessionSeconds: 300,
  apiBase: "",
  waiting: AMONG,
  visiting: 0,
  drawn: sample.method === "random",
  event: eventOf(sample),
});

/** What every template may look up. */
export const sampleVariables = (): PageVariables => {
  const sample = sampleOf(new URLSearchParams());
  return pageVariables(waitingRoomOf(sample), inputOf(sample), "");
};

/** Throws where the template does not parse, or cannot be rendered. */
export const renderPreview = (html: string, query: URLSearchParams): string => {
  const sample = sampleOf(query);
  // Such a room shows its page only while it lets nobody in; Cloudflare's preview says as much.
  if (sample.method === "passthrough" && sample.state !== "paused") return "Welcome";
  const template = ownTemplate(html);
  if (template === null) throw new Error("it does not parse");
  const input = inputOf(sample);
  return template.render(pageVariables(waitingRoomOf(sample), input, ownScript(input, true)));
};
