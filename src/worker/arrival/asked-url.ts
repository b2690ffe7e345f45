/**
 * Where a request wants to go. Most URLs are plain: their parts stand in the text as they are, and need
 * no parser. All others are the parser's to read.
 */
import { BoundedMap } from "../../core/collections/bounded-map.ts";
import { canonicalHost, plainReading, readingsOf } from "../../core/url/canonical.ts";

/** What comes before the path, read by the parser once for each spelling of it. */
interface AskedServer {
  readonly protocol: string;
  /** With its port, where that is not the scheme's own. */
  readonly host: string;
  readonly canonicalHost: string;
}

/** Nothing in it ends a host, or stands before one. */
const SERVER = /^https?:\/\/[\w.:[\]-]+$/;
/** What the parser leaves as it is in a query. */
const PLAIN_QUERY = /^\?[\w.~!$&()*+,;=:@/?%-]+$/;
/** `https://` */
const SERVER_AT = 8;
/** Names under which one isolate is asked. */
const SERVERS_MAX = 1_000;
const SERVER_LENGTH_MAX = 300;
const servers = new BoundedMap<string, AskedServer>(SERVERS_MAX);

type Readings = readonly [string, ...string[]] | null;

export class AskedUrl {
  readonly server: AskedServer;
  readonly pathname: string;
  readonly search: string;
  /** The canonical path first; null when the path has no single meaning. */
  readonly readings: Readings;
  readonly #text: string;
  #parsed: URL | null;

  constructor(text: string) {
    this.#text = text;
    const pathAt = text.indexOf("/", SERVER_AT);
    const queryAt = text.indexOf("?", pathAt);
    const path = text.slice(pathAt, queryAt < 0 ? undefined : queryAt);
    const search = queryAt < 0 ? "" : text.slice(queryAt);
    const plain = pathAt < 0 ? null : plainReading(path);
    const server =
      plain === null || (search !== "" && !PLAIN_QUERY.test(search))
        ? null
        : serverIn(text, pathAt);
    if (plain !== null && server !== null) {
      this.#parsed = null;
      this.server = server;
      this.pathname = path;
      this.search = search;
      this.readings = plain;
      return;
    }
    const url = new URL(text);
    this.#parsed = url;
    this.server = serverOfUrl(url);
    this.pathname = url.pathname;
    this.search = url.search;
    this.readings = readingsOf(url.pathname);
  }

  /** By the parser, for those who need more than these parts. */
  get whole(): URL {
    return (this.#parsed ??= new URL(this.#text));
  }
}

const serverOfUrl = ({ protocol, host, hostname }: URL): AskedServer => ({
  protocol,
  host,
  canonicalHost: canonicalHost(hostname),
});

/** Of the last request: mostly the next one's too. */
let last: { readonly text: string; readonly server: AskedServer } | null = null;

/** Null where the text before the path is no plain server's. */
const serverIn = (url: string, pathAt: number): AskedServer | null => {
  if (last !== null && last.text.length === pathAt && url.startsWith(last.text)) return last.server;
  const text = url.slice(0, pathAt);
  const server = servers.get(text) ?? newServer(text);
  if (server !== null) last = { text, server };
  return server;
};

const newServer = (text: string): AskedServer | null => {
  if (text.length > SERVER_LENGTH_MAX || !SERVER.test(text) || !URL.canParse(text)) return null;
  const server = serverOfUrl(new URL(text));
  servers.set(text, server);
  return server;
};
