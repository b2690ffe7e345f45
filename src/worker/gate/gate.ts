/**
 * Every request that is not for a path of our own: finds its room, lets the core decide, and has it
 * done.
 */
import { decideFirst, decideWithoutPass, failure } from "../../core/gate/decide.ts";
import type { VisitView } from "../../durable/contract.ts";
import type { Arrival } from "../arrival/arrival.ts";
import { delivered } from "../answers/delivered.ts";
import { errorResponse } from "../answers/error-response.ts";
import { UnreachableError } from "../isolate/call-object.ts";
import type { Deployment } from "../isolate/deployment.ts";
import type { Isolate } from "../isolate/isolate.ts";
import { targetOf } from "../origin/target.ts";
import { andThen } from "../platform/maybe-promise.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import { canonicalHost } from "../../core/url/canonical.ts";
import type { PassClaims } from "../tokens/claims.ts";
import { askOrigin } from "../admission/ask-origin.ts";
import { enterOrQueue } from "./enter.ts";
import { isBypassed } from "./bypass.ts";
import { isExempt } from "./exempt.ts";
import { gateContextOf } from "../admission/context.ts";
import type { GateContext } from "../admission/context.ts";
import { learnHowItEnded } from "../admission/lost-visit.ts";
import { awaitMoment } from "../admission/moment.ts";
import { passOn, passOnAndRenew, passOnFree } from "../admission/pass-on.ts";
import { limitsRates } from "../admission/rate-headers.ts";
import { answerUnavailable } from "../admission/queue.ts";
import { serveRequest } from "../requests/request-room.ts";
import { standingOf } from "./standing.ts";
import type { PassStanding } from "./standing.ts";

const PREFLIGHT_RETRY_SECONDS = 1;

/** Every request that is not for a path of our own: the room's that owns the path, or nobody's. */
export const gate = (
  isolate: Isolate,
  arrival: Arrival,
  deployment: Deployment,
): MaybePromise<Response> => {
  const { host, readings } = arrival;
  const { routes } = deployment;
  if (readings === null)
    return routes.guards(host)
      ? andThen(servesHost(isolate, arrival, deployment), (serves) =>
          errorResponse(arrival, null, serves ? "ambiguous-url" : "unknown-host"),
        )
      : passUnprotected(isolate, arrival, deployment);
  const owner = routes.ownerOf(host, readings);
  switch (owner.kind) {
    case "none":
      return passUnprotected(isolate, arrival, deployment);
    case "several":
      return errorResponse(arrival, null, "ambiguous-url");
    case "several-hosts":
      return andThen(servesHost(isolate, arrival, deployment), (serves) =>
        errorResponse(arrival, null, serves ? "ambiguous-host" : "unknown-host"),
      );
    case "elsewhere":
      return andThen(servesHost(isolate, arrival, deployment), (serves) =>
        serves
          ? andThen(gateContextOf(isolate, arrival, deployment, owner.room), guardAndTell)
          : errorResponse(arrival, null, "unknown-host"),
      );
    case "one":
      return andThen(gateContextOf(isolate, arrival, deployment, owner.room), guardAndTell);
    default:
      return owner satisfies never;
  }
};

const guardAndTell = (context: GateContext): MaybePromise<Response> => {
  const answer = guardRoom(context);
  if (!limitsRates(context.room)) return answer;
  return andThen(answer, (response) => context.rate.writeTo(response, context.room));
};

const guardRoom = (context: GateContext): MaybePromise<Response> => {
  const decision = decideFirst(context);
  switch (decision.kind) {
    case "pass-on-free":
      return passOnFree(context, "unprotected");
    case "pass-on-preflight":
      return passOnPreflight(context);
    case "exempt-or":
      if (needsNoPass(context, null)) return passOnFree(context, "exempt", "exempt");
      return decision.otherwise.kind === "wait-here"
        ? orOnFailure(context, () => serveRequest(context))
        : onFailure(context, "no-snapshot");
    case "look-at-pass":
      return andThen(standingOf(context), (standing) => guardVisits(context, standing));
    default:
      return decision satisfies never;
  }
};

/** An exemption or a rule of the room's lets it through. */
const needsNoPass = (context: GateContext, endedPass: PassClaims | null): boolean =>
  isExempt(context, endedPass) || isBypassed(context);

const guardVisits = (context: GateContext, standing: PassStanding): MaybePromise<Response> => {
  if (standing.kind === "live") {
    context.isolate.pacer.visitorCame();
    return passOnAtMoment(context, standing.pass, standing.isDue ? passOnAndRenew : passOn);
  }
  if (standing.kind === "revived") return passOnRevived(context, standing.pass, standing.visit);
  const endedPass = standing.kind === "ended" ? standing.pass : null;
  if (needsNoPass(context, endedPass)) return passOnFree(context, "exempt", "exempt");
  if (decideWithoutPass(context, standing.kind).kind !== "queue")
    return onFailure(context, "no-snapshot");
  return orOnFailure(context, async () => {
    if (endedPass !== null) await learnHowItEnded(context, endedPass);
    return enterOrQueue(context);
  });
};

const passOnRevived = async (
  context: GateContext,
  pass: PassClaims,
  visit: VisitView,
): Promise<Response> => {
  await context.issued.pass(pass.lobby, visit);
  return passOnAtMoment(context, pass, passOn);
};

/** With a live pass, as soon as the room's limit per second lets it begin. */
const passOnAtMoment = (
  context: GateContext,
  pass: PassClaims,
  go: (context: GateContext, pass: PassClaims) => Promise<Response>,
): Promise<Response> => {
  if (context.room.originRequestsPerSecondMax === null) return go(context, pass);
  return passOnLater(context, pass, go);
};

const passOnLater: typeof passOnAtMoment = (context, pass, go) =>
  orOnFailure(context, async () => (await awaitMoment(context, pass.lobby)) ?? go(context, pass));

const orOnFailure = (context: GateContext, serve: () => Promise<Response>): Promise<Response> =>
  serve().catch((error: unknown) => {
    if (!(error instanceof UnreachableError)) throw error;
    return onFailure(context, error.message);
  });

/**
 * Browsers send preflights without a pass. They get past the room, so each room bounds their rate.
 */
const passOnPreflight = (context: GateContext): Response | Promise<Response> => {
  const { isolate, arrival, room } = context;
  if (isolate.quotas.spendPreflight(room)) return passOnFree(context, "exempt", "preflight");
  return errorResponse(arrival, room, "too-many-preflights", PREFLIGHT_RETRY_SECONDS);
};

/** An object cannot be reached: the operator said beforehand what is then to be done. */
const onFailure = (context: GateContext, reason: string): Response | Promise<Response> => {
  const { isolate, arrival, room } = context;
  isolate.ports.log({
    level: "error",
    event: "room-unreachable",
    reference: arrival.reference,
    room: room.name,
    on_failure: room.onFailure,
    reason,
  });
  return failure(context).kind === "pass-on-unguarded"
    ? passOnFree(context, "error")
    : answerUnavailable(context);
};

/** No room owns the path: it is forwarded as it is, if the host is one of this deployment's. */
const passUnprotected = async (
  isolate: Isolate,
  arrival: Arrival,
  deployment: Deployment,
): Promise<Response> => {
  const serves = servesHost(isolate, arrival, deployment);
  if (!(serves === true || (await serves))) return errorResponse(arrival, null, "unknown-host");
  const answer = await askOrigin(isolate, arrival, {
    room: null,
    visit: null,
    keepsHost: deployment.routes.keepsHost(arrival.host),
  });
  if (answer.kind === "unreachable") return errorResponse(arrival, null, answer.code);
  return delivered(answer, "unprotected", null);
};

/** With a URL for an origin the Worker would else be an open proxy to it, under any name. */
const servesHost = (
  isolate: Isolate,
  arrival: Arrival,
  { routes }: Deployment,
): MaybePromise<boolean> => {
  const { env, host } = arrival;
  if (routes.names(host) || targetKind(env) !== "url") return true;
  const passed = hostsIn(env.PASS_HOSTS);
  if (passed.includes(host) || passed.includes("*")) return true;
  // Else a proxy in front that sends our own host for its visitor's would pass every room by.
  if (!routes.namesHosts && hostsIn(env.OWN_HOSTS).includes(host)) return true;
  return env.LOCKS !== undefined && ruleNames(isolate, arrival);
};

const ruleNames = async ({ lockRules }: Isolate, arrival: Arrival): Promise<boolean> =>
  (await lockRules.current(arrival))?.names(arrival.host) === true;

const hostsIn = (list: string | undefined): readonly string[] =>
  (list ?? "").split(",").map((name) => canonicalHost(name.trim()));

const targetKind = (env: Arrival["env"]): string => {
  try {
    return targetOf(env, null).kind;
  } catch {
    // The forward will say what is wrong with it.
    return "unknown";
  }
};
