/** The public record of a draw, as the API gives it and `npm run verify-draw` reads it. */
import * as v from "valibot";
import { DRAND_SCHEMES, type DrandChain } from "../../core/draw/drand-chain.ts";
import type { DrawRecord, PublicValue } from "../../core/draw/record.ts";
import type { FieldProblem } from "../../core/field-problem.ts";
import { TICKET_NUMBER_MAX, ticketNumber } from "../../core/ids.ts";
import { jsonPath } from "../../core/json/pointer.ts";
import { readJson } from "../../core/json/read.ts";
import { instant, rfc3339 } from "../../core/time.ts";
import {
  documentBy,
  exactly,
  field,
  isRecord,
  matching,
  oneOf,
  orNone,
  text,
  whole,
} from "../fields.ts";

/** A record has some 2 KB. */
export const RECORD_LENGTH_MAX = 20_000;
const ENTERED_LENGTH_MAX = 1_000;
const ROUND_MAX = Number.MAX_SAFE_INTEGER;
const PERIOD_SECONDS_MAX = 86_400;
/** The last second whose instant a date can have. */
const GENESIS_SECONDS_MAX = 100_000_000_000;

const hash = matching(/^[0-9a-f]{64}$/, "must be 64 lower-case hex digits");
const hexOf = (digitsMax: number) =>
  matching(
    new RegExp(`^(?:[0-9a-f]{2}){1,${digitsMax / 2}}$`),
    `must be at most ${digitsMax} lower-case hex digits, an even number of them`,
  );
const moment = field<string>(
  (value) =>
    typeof value === "string" && /^\d{4}-.+T.+Z$/.test(value) && !Number.isNaN(Date.parse(value)),
  'must be an instant such as "2026-11-22T10:00:00.000Z"',
);
const number = whole(1, TICKET_NUMBER_MAX);
const round = whole(1, ROUND_MAX);

/** With drand's own names, as its GET /info has them, so that the two can be laid side by side. */
const chainEntries = {
  hash,
  schemeID: oneOf(DRAND_SCHEMES),
  public_key: hexOf(192),
  period: whole(1, PERIOD_SECONDS_MAX),
  genesis_time: whole(0, GENESIS_SECONDS_MAX),
  groupHash: hexOf(128),
  metadata: v.object({ beaconID: matching(/^[\w.-]{1,64}$/, "must be the name of a beacon") }),
};
/** drand may tell more of its chain than is read here. */
const infoSchema = v.pipe(
  v.custom<Record<string, unknown>>(isRecord, "must be an object"),
  v.object(chainEntries, "is required"),
);

const recordSchema = exactly({
  room: text(256),
  event: text(256),
  announced: exactly({
    at: moment,
    starts_at: moment,
    commitment: hash,
    public_value: v.variant(
      "from",
      [
        v.strictObject({ from: v.literal("drand"), chain: exactly(chainEntries), round }),
        v.strictObject({ from: v.literal("witnesses") }),
      ],
      'must have "from": "drand" (with "chain" and "round") or "witnesses"',
    ),
  }),
  closed: orNone(exactly({ at: moment, first: number, last: number })),
  drawn: orNone(
    exactly({
      at: moment,
      secret: hash,
      public_value: v.variant(
        "from",
        [
          v.strictObject({
            from: v.literal("drand"),
            round,
            signature: hexOf(192),
            previous_signature: orNone(hexOf(192)),
          }),
          v.strictObject({ from: v.literal("witnesses"), text: text(ENTERED_LENGTH_MAX) }),
          v.strictObject({ from: v.literal("none"), reason: text(ENTERED_LENGTH_MAX) }),
        ],
        'must have "from": "drand", "witnesses" or "none", and what belongs to it',
      ),
      seed: hash,
    }),
  ),
});
type RecordInput = v.InferOutput<typeof recordSchema>;
type ChainInput = v.InferOutput<typeof infoSchema>;

export type ParsedDraw<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Every problem at once, each with its place. */
export const parseRecordText = (text: string): ParsedDraw<DrawRecord> =>
  parsedText(text, recordSchema, recordOf, ({ closed, drawn }) => [
    ...(closed !== null && closed.first > closed.last
      ? [{ keys: ["closed", "last"], message: "must not be below first" }]
      : []),
    ...(closed === null && drawn !== null
      ? [{ keys: ["closed"], message: "is required where drawn is given" }]
      : []),
  ]);

const enteredSchema = exactly({
  text: field<string>(
    (value) => typeof value === "string" && value !== "" && value.length <= ENTERED_LENGTH_MAX,
    `must be a text of 1 to ${ENTERED_LENGTH_MAX} characters`,
  ),
});

/** What an operator enters before witnesses: `{"text": …}`. */
export const parseEnteredText = (
  json: unknown,
):
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] } => {
  const document = documentBy(enteredSchema, json, () => []);
  return document.ok ? { ok: true, text: document.output.text } : document;
};

/** What drand's GET /info answers. */
export const parseChainText = (text: string): ParsedDraw<DrandChain> =>
  parsedText(text, infoSchema, chainOf, () => []);

const parsedText = <Schema extends v.GenericSchema, Value>(
  text: string,
  schema: Schema,
  valueOf: (input: v.InferOutput<Schema>) => Value,
  between: (input: v.InferOutput<Schema>) => readonly FieldProblem[],
): ParsedDraw<Value> => {
  if (text.length > RECORD_LENGTH_MAX)
    return { ok: false, problems: [`is longer than ${RECORD_LENGTH_MAX} characters`] };
  const read = readJson(text);
  if (!read.ok)
    return { ok: false, problems: [`${read.place} is not JSON: ${read.reason}`.trim()] };
  const document = documentBy(schema, read.json, between);
  if (document.ok) return { ok: true, value: valueOf(document.output) };
  const said = ({ keys, message }: FieldProblem) => `${jsonPath(keys)} ${message}`.trim();
  return { ok: false, problems: document.problems.map(said) };
};

const instantOf = (moment: string) => instant(Date.parse(moment));

const chainOf = (input: ChainInput): DrandChain => ({
  hash: input.hash,
  scheme: input.schemeID,
  publicKey: input.public_key,
  periodSeconds: input.period,
  genesisSeconds: input.genesis_time,
  groupHash: input.groupHash,
  beaconId: input.metadata.beaconID,
});

const recordOf = ({ room, event, announced, closed, drawn }: RecordInput): DrawRecord => ({
  room,
  event,
  announced: {
    at: instantOf(announced.at),
    startsAt: instantOf(announced.starts_at),
    commitment: announced.commitment,
    publicValue:
      announced.public_value.from === "drand"
        ? { ...announced.public_value, chain: chainOf(announced.public_value.chain) }
        : announced.public_value,
  },
  closed:
    closed === null
      ? null
      : {
          at: instantOf(closed.at),
          first: ticketNumber(closed.first),
          last: ticketNumber(closed.last),
        },
  drawn:
    drawn === null
      ? null
      : {
          at: instantOf(drawn.at),
          secret: drawn.secret,
          publicValue: publicValueOf(drawn.public_value),
          seed: drawn.seed,
        },
});

const publicValueOf = (input: NonNullable<RecordInput["drawn"]>["public_value"]): PublicValue =>
  input.from === "drand"
    ? {
        from: "drand",
        round: input.round,
        signature: input.signature,
        previousSignature: input.previous_signature,
      }
    : input;

const chainResource = (chain: DrandChain) => ({
  hash: chain.hash,
  schemeID: chain.scheme,
  public_key: chain.publicKey,
  period: chain.periodSeconds,
  genesis_time: chain.genesisSeconds,
  groupHash: chain.groupHash,
  metadata: { beaconID: chain.beaconId },
});

const publicValueResource = (value: PublicValue) =>
  value.from === "drand"
    ? {
        from: value.from,
        round: value.round,
        signature: value.signature,
        previous_signature: value.previousSignature,
      }
    : value;

/** What `GET /.seiriken/rooms/{room}/draws/{event}` answers. */
export const drawResource = ({ room, event, announced, closed, drawn }: DrawRecord) => ({
  room,
  event,
  announced: {
    at: rfc3339(announced.at),
    starts_at: rfc3339(announced.startsAt),
    commitment: announced.commitment,
    public_value:
      announced.publicValue.from === "drand"
        ? { ...announced.publicValue, chain: chainResource(announced.publicValue.chain) }
        : announced.publicValue,
  },
  closed:
    closed === null
      ? null
      : { at: rfc3339(closed.at), first: Number(closed.first), last: Number(closed.last) },
  drawn:
    drawn === null
      ? null
      : {
          at: rfc3339(drawn.at),
          secret: drawn.secret,
          public_value: publicValueResource(drawn.publicValue),
          seed: drawn.seed,
        },
});
