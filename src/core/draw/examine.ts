/** Examines the record of a draw without trusting who wrote it. */
import { bytesOfHex, hex } from "../hex.ts";
import { rfc3339 } from "../time.ts";
import { chainHashOf, roundAt, type DrandChain } from "./drand-chain.ts";
import { isSigned } from "./drand-signature.ts";
import {
  publicBytesOf,
  type Announcement,
  type DrawRecord,
  type DrawOutcome,
  type PublicValue,
} from "./record.ts";
import { commitmentOf, SECRET_BYTES, seedOf } from "./seed.ts";

/** `look`: no program can tell; the reader compares it with what they saw themselves. */
export type Verdict = "holds" | "look" | "fails";

export interface Finding {
  readonly of: "earlier" | "commitment" | "public-value" | "chain" | "time" | "signature" | "seed";
  readonly verdict: Verdict;
  readonly says: string;
}

export interface ExamineOptions {
  /** The same record as it was read before the draw; null: there is none. */
  readonly earlier: DrawRecord | null;
  /** The chains whose hash the reader trusts. */
  readonly chains: readonly DrandChain[];
}

/** Every finding at once. The draw holds when none fails. */
export const examine = (record: DrawRecord, options: ExamineOptions): readonly Finding[] => {
  const { announced, closed, drawn } = record;
  const findings = [...ofEarlier(record, options.earlier), ...ofTime(record)];
  if (announced.publicValue.from === "drand")
    findings.push(ofChain(announced.publicValue.chain, options.chains));
  if (drawn === null || closed === null)
    return [...findings, finding("seed", "fails", "there is no draw yet")];
  return [
    ...findings,
    ofCommitment(announced, drawn),
    ...ofPublicValue(announced, drawn.publicValue),
    ofSeed(drawn),
  ];
};

const finding = (of: Finding["of"], verdict: Verdict, says: string): Finding => ({
  of,
  verdict,
  says,
});

const check = (of: Finding["of"], holds: boolean, right: string, wrong: string): Finding =>
  holds ? finding(of, "holds", right) : finding(of, "fails", wrong);

const ofEarlier = (record: DrawRecord, earlier: DrawRecord | null): Finding[] => {
  const { commitment } = record.announced;
  if (earlier === null)
    return [
      finding(
        "earlier",
        "look",
        `nothing here shows that ${commitment} was announced before the draw: compare it with what you ` +
          "noted then, or give the record as you saved it (--before FILE)",
      ),
    ];
  const parts = ["room", "event", "announced", "closed"] as const;
  const changed = parts.filter((part) => {
    const before = earlier[part];
    return before !== null && JSON.stringify(before) !== JSON.stringify(record[part]);
  });
  return [
    check(
      "earlier",
      changed.length === 0,
      "what was published before the draw still stands",
      `changed since the earlier record: ${changed.join(", ")}`,
    ),
  ];
};

const ofCommitment = (announced: Announcement, drawn: DrawOutcome): Finding => {
  const secret = bytesOfHex(drawn.secret);
  return check(
    "commitment",
    secret?.length === SECRET_BYTES && commitmentOf(secret) === announced.commitment,
    "the secret is the one whose hash was announced",
    `the secret's SHA-256 is not the commitment ${announced.commitment}`,
  );
};

/** A chain's hash covers its key, so the hash is all that has to be trusted. */
const ofChain = (chain: DrandChain, trusted: readonly DrandChain[]): Finding => {
  if (chainHashOf(chain) !== chain.hash)
    return finding(
      "chain",
      "fails",
      `the chain's key and times do not have the hash ${chain.hash}`,
    );
  const same = trusted.find(({ hash }) => hash === chain.hash);
  if (same === undefined)
    return finding(
      "chain",
      "fails",
      `this program does not know the drand chain ${chain.hash}: get its /info from somebody you trust, ` +
        "and give it (--chain FILE)",
    );
  return check(
    "chain",
    same.scheme === chain.scheme,
    `the drand chain is ${chain.beaconId}, ${chain.hash}`,
    `the chain signs by ${same.scheme}, not by ${chain.scheme}`,
  );
};

const ofTime = ({ announced, closed, drawn }: DrawRecord): Finding[] => {
  const promised = announced.publicValue;
  const dueAt = promised.from === "drand" ? roundAt(promised.chain, promised.round) : null;
  const moments = [
    ["announced", announced.at],
    ["the start", announced.startsAt],
    ["the end of joining", closed?.at ?? null],
    ["the round", dueAt],
    ["the draw", drawn?.at ?? null],
  ] as const;
  const known = moments.flatMap(([name, at]) => (at === null ? [] : [{ name, at }]));
  const late = known.flatMap(({ name, at }, index) => {
    const next = known[index + 1];
    if (next === undefined || at <= next.at) return [];
    return [`${name} (${rfc3339(at)}) is after ${next.name} (${rfc3339(next.at)})`];
  });
  return [
    check(
      "time",
      late.length === 0,
      dueAt === null
        ? "it was announced, closed and drawn in this order"
        : `joining ended before drand's round was due, at ${rfc3339(dueAt)}: nobody could choose a number by it`,
      late.join("; "),
    ),
  ];
};

const ofPublicValue = ({ publicValue: promised }: Announcement, value: PublicValue): Finding[] => {
  if (value.from === "none")
    return [
      finding(
        "public-value",
        "fails",
        `no public value could be had (${value.reason}): the operator could know the order beforehand`,
      ),
    ];
  if (promised.from === "drand" && value.from === "drand") {
    const { chain, round } = promised;
    return [
      check(
        "public-value",
        value.round === round,
        `it is the round that was announced, ${round}`,
        `announced was round ${round}, drawn was by round ${value.round}`,
      ),
      check(
        "signature",
        isSigned(chain, value),
        "drand signed the round",
        "the round's signature is not by the chain's key",
      ),
    ];
  }
  if (promised.from === "witnesses" && value.from === "witnesses")
    return [
      finding(
        "public-value",
        "look",
        `the operator entered ${JSON.stringify(value.text)}: compare it with what the witnesses saw`,
      ),
    ];
  return [
    finding(
      "public-value",
      "fails",
      `announced was a value from ${promised.from}, drawn was by one from ${value.from}`,
    ),
  ];
};

const ofSeed = (drawn: DrawOutcome): Finding => {
  const secret = bytesOfHex(drawn.secret);
  return check(
    "seed",
    secret?.length === SECRET_BYTES &&
      hex(seedOf(secret, publicBytesOf(drawn.publicValue))) === drawn.seed,
    "the seed is made of the secret and the public value",
    "the seed is not the hash of the secret and the public value",
  );
};
