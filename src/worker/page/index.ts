import type { Appearance } from "../../core/definition.ts";
import type { RoomMode } from "../../core/snapshot.ts";
import { css, eventCss, eventScript, script, template, watchdog } from "./assets.gen.ts";
import { catalogOf, letterStyle } from "./catalogs.ts";
import { chooseLanguage } from "./language.ts";
import { lostVisit } from "./lost.ts";
import type { VisitLoss } from "./lost.ts";
import { numberWidth } from "./number-width.ts";
import { looksOf } from "./looks.ts";
import { markup } from "./markup.ts";
import { withEvent } from "../../page/event.ts";
import type {
  Boot,
  PageProof,
  EventState,
  PageState,
  PageTicket,
  PageProblem,
} from "../../page/state.ts";
import { viewOf } from "../../page/view.ts";
import { createWords } from "../../page/words.ts";
import type { Catalog, Words } from "../../page/words.ts";

export type { PageTicket } from "../../page/state.ts";

export interface QueuePageInput {
  readonly room: { readonly name: string; readonly id: string };
  readonly appearance: Appearance;
  /** As in `Accept-Language`. */
  readonly languages: string;
  /** The room's own, for visitors whose languages we do not have. */
  readonly defaultLanguage?: string | undefined;
  readonly mode: RoomMode;
  readonly message: string | null;
  readonly closed: string | null;
  readonly ticket: PageTicket | null;
  /** Where the visitor wants to go: a path, or an http(s) URL on the room's hosts. */
  readonly to: string;
  /** The request was a form that was not forwarded. */
  readonly formLost: boolean;
  readonly refreshSeconds: number;
  /** The request did not bring back the visitor id that an answer had set. */
  readonly cookiesMissing: boolean;
  readonly reference: string;
  readonly nonce: string;
  readonly returnWindowSeconds: number;
  readonly claimWithinSeconds: number;
  readonly sessionSeconds: number;
  /** `/.seiriken/rooms/{name}` */
  readonly apiBase: string;
  readonly waiting: number;
  readonly visiting: number;
  /** Turns are drawn, so nobody is ahead of anybody. */
  readonly drawn?: boolean;
  /** The event that is on, where the page has something to say of it. */
  readonly event?: EventState | null;
  /** Nothing but loading the page again gets in: it does so by itself, and has no script. */
  readonly reloads?: boolean;
  readonly problem?: PageProblem | null;
  /** The visit that the visitor had before. */
  readonly lost?: VisitLoss | null;
  /** The visitor's host: names the socket for browsers whose `'self'` leaves out `wss:`. */
  readonly host?: string;
  /** A ticket costs something here. */
  readonly proof?: Omit<PageProof, "text"> | null;
  /** Origins whose pages may show this one in a frame, besides its own. */
  readonly framedBy?: readonly string[];
}

export interface QueuePage {
  readonly html: string;
  readonly csp: string;
}

/** Without a script the line is drawn once, for a narrow screen: this many figures at most. */
const FIGURES_DRAWN = 9;
const FIGURE_WIDTH = 26;

const nameOf = ({ appearance, room }: QueuePageInput): string => appearance.name ?? room.name;

/** A path or an http(s) URL; anything else leads to the site's front page. */
export const safeTarget = (to: string): string =>
  /^\/(?![/\\])/.test(to) || /^https?:\/\/[^\s/\\]/i.test(to) ? to : "/";

/** Where a page may load the widget from, and show it in a frame; nowhere else, and no other page. */
const widgetOrigin = ({ proof }: QueuePageInput): string =>
  proof?.turnstile == null ? "" : ` ${new URL(proof.turnstile.script).origin}`;

const policyOf = (input: QueuePageInput): string => {
  const { nonce, host, framedBy = [] } = input;
  const widget = widgetOrigin(input);
  const named = host !== undefined && /^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(host);
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'${widget}`,
    ...(widget === "" ? [] : [`frame-src${widget}`]),
    `style-src 'nonce-${nonce}'`,
    "img-src data:",
    "worker-src 'self'",
    `connect-src 'self'${named ? ` wss://${host}` : ""}`,
    "form-action 'self'",
    "base-uri 'none'",
    ["frame-ancestors 'self'", ...framedBy].join(" "),
  ].join("; ");
};

const phaseOf = ({ mode, ticket, cookiesMissing }: QueuePageInput): PageState["phase"] => {
  if (mode === "closed") return "closed";
  switch (ticket?.state) {
    case "called":
    case "visiting":
      return "called";
    case "waiting":
    case "away":
      return "waiting";
    case "none":
    case undefined:
      return cookiesMissing ? "cookies" : "taking";
  }
};

/** Without what is not so, not known or not there: the page takes what is left out for that. */
const told = <T extends object>(members: T): { [name in keyof T]: Exclude<T[name], undefined> } =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value != null && value !== false),
  ) as { [name in keyof T]: Exclude<T[name], undefined> };

/** Only what the page shows: the token stays in its cookie. */
const shown = ({ ticket, reloads }: QueuePageInput): PageTicket | null =>
  ticket === null || ticket.state === "none"
    ? null
    : {
        // It is away only until the page asks again.
        state: reloads && ticket.state === "away" ? "waiting" : ticket.state,
        number: ticket.number,
        ahead: ticket.ahead,
        ...told({
          among: ticket.among,
          eta: ticket.eta,
          claim_by: ticket.claim_by,
          poll_after_seconds: ticket.poll_after_seconds,
        }),
      };

export const firstState = (input: QueuePageInput): PageState =>
  told({
    phase: phaseOf(input),
    waiting: input.waiting,
    ticket: shown(input),
    paused: input.mode === "paused",
    message: input.message,
    closed: input.closed,
    formLost: input.formLost,
    drawn: input.drawn === true,
    event: input.event ?? null,
    problem: input.problem ?? null,
  });

/** JSON that is safe inside a script element, whatever text it holds. */
export const inlineJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Texts from elsewhere keep their own direction inside a sentence from right to left (UAX 9, FSI and PDI). */
const isolated = (text: string, { dir }: Catalog): string =>
  dir === "rtl" ? `\u2068${text}\u2069` : text;

const serverTexts = (catalog: Catalog, input: QueuePageInput, words: Words) => {
  const holes = {
    name: isolated(nameOf(input), catalog),
    reference: isolated(input.reference, catalog),
    span: words.span(input.refreshSeconds),
    session: words.span(input.sessionSeconds),
  };
  return Object.fromEntries(
    Object.entries({ ...catalog.server, check: catalog.event.check }).map(([key, message]) => [
      key,
      words.fill(message, holes),
    ]),
  );
};

/** The public record of the draw, and this visitor's rank in it. */
const checkPath = ({ apiBase, event, ticket }: QueuePageInput): string | null => {
  if (event == null) return null;
  const number = ticket?.number ?? null;
  return `${apiBase}/draws/${event.told.id}${number === null ? "" : `?number=${number}`}`;
};

/** How the line stands before any script has measured the screen. */
const drawing = ({ ticket, waiting }: PageState) => {
  const ahead = ticket?.ahead ?? 0;
  const each = Math.max(1, ahead / FIGURES_DRAWN);
  const behind = Math.max(0, (waiting ?? 0) - ahead - 1);
  return {
    x: Math.round((ahead / each) * FIGURE_WIDTH),
    behind: Math.ceil(behind / each) * FIGURE_WIDTH,
  };
};

/** Where turns are drawn two texts of the page say something else; it has no others, to stay light. */
const forOrder = (catalog: Catalog, { drawn }: QueuePageInput): Catalog => {
  if (drawn !== true) return catalog;
  const { among, waitDrawn } = catalog.server;
  return {
    ...catalog,
    page: { ...catalog.page, waitUnknown: waitDrawn },
    server: { ...catalog.server, ahead: among },
  };
};

/** The words of an event, and the labels that change with it, for pages that are made in one. */
const forEvent = (catalog: Catalog, { event }: QueuePageInput): Catalog => {
  if (event == null) return catalog;
  const { ahead, among, wait } = catalog.server;
  return { ...catalog, page: { ...catalog.page, ...catalog.event, ahead, among, wait } };
};

const proofIn = ({ proof }: QueuePageInput, text: string): Pick<Boot, "proof"> =>
  proof == null ? {} : { proof: { ...proof, text } };

/** For the page of an operator's own: in the visitor's language, as far as we speak it. */
export const ownProof = (input: QueuePageInput): Pick<Boot, "proof"> => {
  const { language, locale } = chooseLanguage(input.languages, input.defaultLanguage);
  const { page, server } = catalogOf(language);
  return proofIn(input, createWords(locale, page).fill(server.proof));
};

const bootOf = (
  input: QueuePageInput,
  locale: string,
  catalog: Catalog,
  words: Words,
  state: PageState,
): Boot => ({
  locale,
  roomId: input.room.id,
  name: nameOf(input),
  api: input.apiBase,
  to: safeTarget(input.to),
  spans: {
    returnWindow: input.returnWindowSeconds,
    claimWithin: input.claimWithinSeconds,
  },
  state,
  words: Object.values(wordsFor(catalog, state)),
  ...proofIn(input, words.fill(catalog.server.proof)),
});

/** The script learns of no lost form that the page did not begin with. */
const wordsFor = ({ page }: Catalog, { formLost }: PageState): Catalog["page"] =>
  formLost ? page : { ...page, formLost: "" };

/** The whole page, ready to be sent. Every text of operators and visitors is escaped. */
export const renderQueuePage = (input: QueuePageInput): QueuePage => {
  const { language, locale } = chooseLanguage(input.languages, input.defaultLanguage);
  const catalog = forEvent(forOrder(catalogOf(language), input), input);
  const words = createWords(locale, catalog.page);
  const lost = input.lost == null ? null : lostVisit(catalog, words, input.lost);
  const state = { ...firstState(input), ...(lost === null ? {} : { lost }) };
  const boot = bootOf(input, locale, catalog, words, state);
  const { name, to, spans } = boot;
  const plain = viewOf(state, spans, name, words);
  const event = input.event == null ? null : withEvent(plain, state, name, words, null);
  const view = event ?? plain;
  const labels = event === null ? {} : { ahead: event.aheadLabel, wait: event.waitLabel };
  const html = markup(template, {
    lang: language,
    dir: catalog.dir,
    nonce: input.nonce,
    name,
    to,
    view,
    held: view.paused,
    event: event !== null,
    check: checkPath(input),
    closed: view.phase === "closed",
    refresh: view.phase === "closed" ? null : input.refreshSeconds,
    reloads: input.reloads === true,
    width: numberWidth(view.number),
    s: { ...serverTexts(catalog, input, words), ...labels },
    scriptlessTaking: view.phase === "taking" ? words.fill(catalog.server.scriptlessTaking) : null,
    spans: {
      returnWindow: words.span(spans.returnWindow),
      claimWithin: words.span(spans.claimWithin),
      session: words.span(input.sessionSeconds),
    },
    ...looksOf(input.appearance),
    ...drawing(state),
    proof: input.proof,
    boot: inlineJson(boot),
    css: css + letterStyle(language),
    eventCss,
    script: event === null ? script : eventScript,
    watchdog,
    // For those who cannot read the page, whose word for it they cannot read either.
    foreign: language !== "en",
    // Slashes stand for themselves in a query, and are most of what there is to encode.
    languagesOf: `${boot.api}/languages?to=${encodeURIComponent(to).replaceAll("%2F", "/")}`,
  });
  return { html, csp: policyOf(input) };
};
