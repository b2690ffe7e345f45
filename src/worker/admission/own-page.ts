/**
 * A page of one's own (`custom_page_html`) in place of the queue page: when it is shown, and what its
 * template may look up. Cloudflare's variables are those of its JSON answer, and a few besides
 * (developers.cloudflare.com/waiting-room/how-to/customize-waiting-room).
 */
import type { QueuePageInput } from "../page/index.ts";
import { ownScript } from "../page/own-script.ts";
import type { PageVariables } from "../page/own-template.ts";
import { isSafe } from "../arrival/caller.ts";
import type { cfWaitingRoom } from "./cf-waiting-room.ts";
import type { GateContext } from "./context.ts";

export interface OwnPage {
  readonly html: string;
  readonly csp: string;
  /** The page's own way on; null where its script knows better, or nothing is to be waited for. */
  readonly refresh: string | null;
}

export type CfWaitingRoom = ReturnType<typeof cfWaitingRoom>;

const MINUTES_IN_HOUR = 60;
/** The name by which a template shows that the room is closed. */
const CLOSED = "seiriken.closed";
const SCRIPT = "seirikenScript";
const TURNSTILE = "turnstile";
/** Where what a proof asks of its visitor shows itself in such a page. */
const PROOF_PLACE = '<div id="seiriken-proof"></div>';

/**
 * Nothing that a visitor sent is among them: what a template shows without escaping is the operator's,
 * or ours.
 */
export const pageVariables = (
  waiting: CfWaitingRoom,
  input: QueuePageInput,
  script: string,
  turnstile = "",
): PageVariables => ({
  ...waiting,
  waitTimeHours: Math.floor(waiting.waitTime / MINUTES_IN_HOUR),
  waitTimeHourMinutes: waiting.waitTime % MINUTES_IN_HOUR,
  [TURNSTILE]: turnstile,
  infiniteQueue: false,
  [SCRIPT]: script,
  seiriken: {
    name: input.appearance.name ?? input.room.name,
    number: input.ticket?.number ?? null,
    ahead: input.ticket?.ahead ?? null,
    among: input.ticket?.among ?? null,
    message: input.message,
    closed: input.mode === "closed" ? (input.closed ?? "Closed") : null,
    reference: input.reference,
  },
});

/**
 * The operator's own site sends this page, and may already run any script on its origin, so a policy for
 * scripts and styles would keep nobody out; it would only break templates that were made for
 * Cloudflare. Who may frame the page is another's business: there the queue page's rule holds.
 */
const policyOf = ({ framedBy = [] }: QueuePageInput): string =>
  ["frame-ancestors 'self'", ...framedBy].join(" ");

/**
 * Null where the queue page is shown: where the operator has no page, none that can be shown, or none
 * with words for what its visitor must hear (a form was not sent, cookies do not come back, the room is
 * closed or cannot be reached), or where a ticket costs what only a script can pay and it has none.
 */
export const ownPage = (
  { isolate, arrival, room }: GateContext,
  input: QueuePageInput,
  waitingRoom: () => CfWaitingRoom,
): OwnPage | null => {
  const html = room.kept.custom_page_html ?? "";
  if (html.trim() === "") return null;
  if (input.cookiesMissing || input.problem === "unavailable") return null;
  if (!isSafe(arrival.request.method)) return null;
  const template = isolate.templates.of(room.name, html);
  if (template === null) return null;
  if (input.mode === "closed" && !template.names.has(CLOSED)) return null;
  const waiting = waitingRoom();
  const turnsAway = waiting.isRejectQueue && input.mode !== "closed";
  const asksTurnstile = input.proof?.turnstile != null;
  const hasWidget = asksTurnstile && template.names.has(TURNSTILE);
  const mayScript = template.names.has(SCRIPT) || hasWidget;
  const scripted = mayScript && !turnsAway && input.reloads !== true;
  const hasTicket = input.ticket?.number != null;
  if (input.proof != null && !hasTicket && !scripted && !turnsAway) return null;
  const seconds = turnsAway ? 0 : input.refreshSeconds;
  const variables = pageVariables(
    { ...waiting, refreshIntervalSeconds: seconds },
    input,
    scripted ? ownScript(input) : "",
    scripted && hasWidget
      ? `${PROOF_PLACE}${template.names.has(SCRIPT) ? "" : ownScript(input)}`
      : "",
  );
  const rendered = isolate.templates.render(room.name, html, variables);
  if (rendered === null) return null;
  const refresh = scripted || turnsAway ? null : `${seconds};url=${input.to}`;
  return { html: rendered, csp: policyOf(input), refresh };
};
