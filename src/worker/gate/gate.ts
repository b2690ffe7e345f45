import type { VisitView } from "../../durable/contract.ts";
import type { Arrival } from "../arrival.ts";
import { delivered } from "../answers/delivered.ts";
import { trouble } from "../answers/trouble.ts";
import { isPreflight } from "../caller.ts";
import { UnreachableError } from "../isolate/call-object.ts";
import type { Deployment } from "../isolate/deployment.ts";
import type { Isolate } from "../isolate/isolate.ts";
import { targetOf } from "../origin/target.ts";
import { soon } from "../soon.ts";
import type { Soon } from "../soon.ts";
import { canonicalHost } from "../url/canonical.ts";
import type { HeldPass } from "../tokens/claims.ts";
import { askOrigin } from "./ask-origin.ts";
import { enterOrQueue } from "./enter.ts";
import { isExempt } from "./exempt.ts";
import { guard } from "./guarded.ts";
import type { Guarded } from "./guarded.ts";
import { paced } from "./pace.ts";
import { passOn, passOnAndRenew, passOnFree } from "./pass-on.ts";
import { limitsRates } from "./rate-told.ts";
import { answerUnavailable } from "./queue.ts";
import { serveRequest } from "./request-room.ts";
import { standingOf } from "./standing.ts";
import type { Standing } from "./standing.ts";

/** Every request that is not for a path of our own: the room's that owns the path, or nobody's. */
export const gate = (
  isolate: Isolate,
  arrival: Arrival,
  deployment: Deployment,
): Soon<Response> => {
  const { host, readings } = arrival;
  const { routes } = deployment;
  if (readings === null)
    return routes.guards(host)
      ? trouble(arrival, null, "ambiguous-url")
      : passUnprotected(isolate, arrival, deployment);
  const owner = routes.ownerOf(host, readings);
  switch (owner.kind) {
    case "none":
      return passUnprotected(isolate, arrival, deployment);
    case "several":
      return trouble(arrival, null, "ambiguous-url");
    case "one":
      return soon(guard(isolate, arrival, deployment, owner.room), guardAndTell);
    default:
      return owner satisfies never;
  }
};

const guardAndTell = (guarded: Guarded): Soon<Response> => {
  const answer = guardRoom(guarded);
  if (!limitsRates(guarded.room)) return answer;
  return soon(answer, (response) => guarded.rate.writeTo(response, guarded.room));
};

const guardRoom = (guarded: Guarded): Soon<Response> => {
  if (isPreflight(guarded.arrival.request)) return passOnFree(guarded, "exempt");
  if (letsEveryoneThrough(guarded)) return passOnFree(guarded, "unprotected");
  if (guarded.room.limits.permit === "request") return guardRequests(guarded);
  return soon(standingOf(guarded), (standing) => guardVisits(guarded, standing));
};

const guardVisits = (guarded: Guarded, standing: Standing): Soon<Response> => {
  const endedPass = standing.kind === "ended" ? standing.pass : null;
  switch (standing.kind) {
    case "live": {
      const { pass, isDue } = standing;
      return passOnPaced(guarded, pass, isDue ? passOnAndRenew : passOn);
    }
    case "revived":
      return passOnRevived(guarded, standing.pass, standing.visit);
    case "none":
    case "ended":
    case "unknown":
      break;
    default:
      return standing satisfies never;
  }
  if (isExempt(guarded, endedPass)) return passOnFree(guarded, "exempt");
  if (standing.kind === "unknown" || guarded.view.state === "lost")
    return onFailure(guarded, "no-snapshot");
  return orOnFailure(guarded, () => enterOrQueue(guarded));
};

const passOnRevived = async (
  guarded: Guarded,
  pass: HeldPass,
  visit: VisitView,
): Promise<Response> => {
  await guarded.handout.pass(pass.lobby, visit);
  return passOnPaced(guarded, pass, passOn);
};

/** With a live pass, as soon as the room's limit per second lets it begin. */
const passOnPaced = (
  guarded: Guarded,
  pass: HeldPass,
  go: (guarded: Guarded, pass: HeldPass) => Promise<Response>,
): Promise<Response> => {
  if (guarded.room.originRequestsPerSecondMax === null) return go(guarded, pass);
  return orOnFailure(guarded, async () => (await paced(guarded, pass.lobby)) ?? go(guarded, pass));
};

/** A room of requests knows no passes: each request waits for a permit of its own. */
const guardRequests = (guarded: Guarded): Soon<Response> => {
  if (isExempt(guarded, null)) return passOnFree(guarded, "exempt");
  if (guarded.view.state === "lost") return onFailure(guarded, "no-snapshot");
  return orOnFailure(guarded, () => serveRequest(guarded));
};

const orOnFailure = async (guarded: Guarded, serve: () => Promise<Response>): Promise<Response> => {
  try {
    return await serve();
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    return onFailure(guarded, error.message);
  }
};

const letsEveryoneThrough = ({ room, view }: Guarded): boolean => {
  if (room.queueingMethod === "passthrough") return true;
  return view.snapshot !== null && view.state !== "lost"
    ? view.snapshot.mode === "suspended"
    : room.limits.suspended;
};

/** An object cannot be reached: the operator said beforehand what is then to be done. */
const onFailure = (guarded: Guarded, reason: string): Response | Promise<Response> => {
  const { isolate, arrival, room } = guarded;
  isolate.ports.log({
    level: "error",
    event: "room-unreachable",
    reference: arrival.reference,
    room: room.name,
    on_failure: room.onFailure,
    reason,
  });
  return room.onFailure === "open" ? passOnFree(guarded, "error") : answerUnavailable(guarded);
};

/** No room owns the path: it is forwarded as it is, if the host is one of this deployment's. */
const passUnprotected = async (
  isolate: Isolate,
  arrival: Arrival,
  deployment: Deployment,
): Promise<Response> => {
  if (!servesHost(arrival, deployment)) return trouble(arrival, null, "unknown-host");
  const answer = await askOrigin(isolate, arrival, { room: null, visit: null });
  if (answer.kind === "unreachable") return trouble(arrival, null, "origin-unreachable");
  return delivered(answer, "unprotected", null);
};

/** With a URL for an origin the Worker would else be an open proxy to it, under any name. */
const servesHost = ({ env, host }: Arrival, { routes }: Deployment): boolean => {
  if (routes.names(host) || targetKind(env) !== "url") return true;
  const passed = (env.PASS_HOSTS ?? "").split(",").map((name) => canonicalHost(name.trim()));
  return passed.includes(host) || passed.includes("*");
};

const targetKind = (env: Arrival["env"]): string => {
  try {
    return targetOf(env, null).kind;
  } catch {
    // The forward will say what is wrong with it.
    return "unknown";
  }
};
