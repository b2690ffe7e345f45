import type { BrowserContext, Page, Response } from "playwright-core";

/** One person's traffic, told so that it does not matter through which host it went. */
export interface Traffic {
  /** Method, path, status and the headers that matter; each kind of exchange once, sorted. */
  exchanges(): Promise<readonly string[]>;
  /** `> TYPE` and `< TYPE` of all messages on WebSockets, each once, sorted. */
  messages(): readonly string[];
  /** Requests that got no answer, and errors that scripts threw. */
  readonly failures: readonly string[];
}

const COMPARED = [
  "accept-ranges",
  "cache-control",
  "content-disposition",
  "content-encoding",
  "content-range",
  "content-security-policy",
  "content-type",
  "location",
  "referrer-policy",
  "vary",
  "x-content-type-options",
  "x-frame-options",
];

/** Listens from now on. What the waiting room itself says and is asked is left out. */
export const listen = (context: BrowserContext): Traffic => {
  const exchanges: Promise<string | null>[] = [];
  const messages = new Set<string>();
  const failures: string[] = [];
  const isOurs = (url: string) => new URL(url).pathname.startsWith("/.seiriken/");

  context.on("response", (response) => {
    if (!isOurs(response.url())) exchanges.push(told(response));
  });
  context.on("requestfailed", (request) => {
    void request.response().then((response) => {
      // An answer whose body nobody read, and a download, end as failures too.
      if (response === null && !isOurs(request.url()))
        failures.push(`${request.method()} ${request.url()}: ${request.failure()?.errorText}`);
    });
  });
  context.on("weberror", (error) => failures.push(String(error.error())));
  context.on("page", (page) => listenToSockets(page, isOurs, messages));
  return {
    exchanges: async () => {
      const all = await Promise.all(exchanges);
      return [...new Set(all.filter((line) => line !== null))].sort();
    },
    messages: () => [...messages].sort(),
    failures,
  };
};

const listenToSockets = (
  page: Page,
  isOurs: (url: string) => boolean,
  messages: Set<string>,
): void => {
  page.on("websocket", (socket) => {
    if (isOurs(socket.url())) return;
    const keep = (way: string) => (frame: { payload: string | Buffer }) =>
      messages.add(`${way} ${JSON.parse(String(frame.payload)).type}`);
    socket.on("framesent", keep(">"));
    socket.on("framereceived", keep("<"));
    socket.on("socketerror", (error) => messages.add(`error ${error}`));
  });
};

/** Null for the page of those who wait. A part of a page that had to wait would be a failure. */
const told = async (response: Response): Promise<string | null> => {
  const url = new URL(response.url());
  const headers = await response.headersArray();
  const valuesOf = (wanted: string) =>
    headers
      .filter(({ name }) => name.toLowerCase() === wanted)
      .map(({ value }) => (wanted === "cache-control" ? shareless(value) : value))
      .filter((value) => value !== "");
  const isQueued = valuesOf("seiriken-status").some((status) => status.startsWith("queued"));
  if (isQueued && response.request().resourceType() === "document") return null;
  const path = `${url.pathname}${url.search}`.replace(/^(\/\$\/)\w+/, "$1LINK");
  const parts = [`${response.request().method()} ${path} ${response.status()}`];
  for (const name of COMPARED)
    for (const value of valuesOf(name)) parts.push(`${name}: ${hostless(value, url)}`);
  for (const value of valuesOf("set-cookie"))
    if (!/^[\w-]*seiriken-/.test(value)) parts.push(`set-cookie: ${cookieKind(value)}`);
  return parts.join("\n  ");
};

const hostless = (value: string, url: URL): string => value.replaceAll(url.host, "HOST");

/** An answer that carries a pass as well is private, whatever it was: now and then one renews it. */
const shareless = (value: string): string => value.replace(/\b(?:public|private)\b,?\s*/, "");

/** Name and attributes, without the values that differ from session to session. */
const cookieKind = (cookie: string): string =>
  cookie.replace(/=[^;]*/, "=…").replace(/(expires)=[^;]*/i, "$1=…");
