/** An answer's headers as the gate needs them, looked through once. */
import { BoundedMap } from "../../core/collections/bounded-map.ts";
import type { RoomDefinition } from "../../core/definition.ts";
import { LastMade } from "../../core/last-made.ts";
import type { PaceAsk } from "../../core/pace/signal.ts";
import { NAMES_MAX, SentHeaders } from "../arrival/sent-headers.ts";
import { isForUsAlone, paceSaid, releaseOf } from "./command.ts";
import type { VisitRelease } from "./command.ts";
import { isHop } from "./header-fate.ts";
import { listedBy } from "./request-headers.ts";

const lastHead = new LastMade<AnswerHead>();

/** What decides what becomes of an answer on its way. */
export class AnswerHead {
  readonly status: number;
  contentLength: string | null = null;
  contentType: string | null = null;
  location: string | null = null;
  setsCookies = false;

  constructor(status: number) {
    this.status = status;
    lastHead.keep(this);
  }
}

/** Of an answer that needs no cleansing. */
export const headOf = ({ status, headers }: Response): AnswerHead => {
  const head = new AnswerHead(status);
  look(head, headers);
  return head;
};

const look = (head: AnswerHead, headers: Headers): void => {
  head.contentLength = headers.get("Content-Length");
  head.contentType = headers.get("Content-Type");
  head.location = headers.get("Location");
  head.setsCookies = headers.has("Set-Cookie");
};

const NONE: readonly string[] = [];

interface Commands {
  readonly release: VisitRelease | null;
  readonly pace: PaceAsk | null;
}

const NO_COMMANDS: Commands = { release: null, pace: null };

/** What of an answer's headers needs to be looked at, by their names alone. */
interface Look {
  readonly setsCookies: boolean;
  /** They are not for the visitor. */
  readonly forUs: readonly string[];
  readonly hops: readonly string[];
}

/** Of lists of names that came lately. */
const LOOKS_MAX = 500;
const looks = new BoundedMap<readonly string[], Look>(LOOKS_MAX);

const lookAt = (names: readonly string[]): Look => {
  const forUs = names.filter(isForUsAlone);
  return {
    setsCookies: names.includes("set-cookie"),
    forUs,
    hops: names.filter(isHop),
  };
};

/** Removes headers that are not for the visitor, and returns the commands among them, if any. */
export const cleanse = (
  headers: Headers,
  head: AnswerHead,
  room: RoomDefinition | null,
): Commands => {
  const sent = new SentHeaders(headers);
  const { names } = sent;
  const { forUs, hops, setsCookies } =
    names.length > NAMES_MAX ? lookAt(names) : looks.getOrMake(names, lookAt);
  head.contentLength = sent.get("content-length");
  head.contentType = sent.get("content-type");
  head.location = sent.get("location");
  head.setsCookies = setsCookies;
  const ownHops = head.status === 101 ? NONE : hops;
  if (forUs.length + ownHops.length === 0) return NO_COMMANDS;
  const enabled = room?.kept.enabled_origin_commands ?? [];
  const commands =
    forUs.length > 0
      ? { release: releaseOf(headers, enabled), pace: paceSaid(headers) }
      : NO_COMMANDS;
  const listed = ownHops.length === 0 ? NONE : listedBy(sent.get("connection"));
  for (const name of [...forUs, ...ownHops, ...listed]) headers.delete(name);
  if (listed.length > 0) look(head, headers);
  return commands;
};
