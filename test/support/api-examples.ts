import { ask } from "./http.ts";
import type { Answer } from "./http.ts";
import { blocksOf } from "./docs.ts";

/** A request of docs/API.md with the answer that is shown for it. */
export interface ApiExample {
  readonly at: string;
  /** Whose tokens `$TICKET` and `$PASS` are; `# as the second visitor` names another. */
  readonly who: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
}

/** Every `http` block of the page, in order. */
export const apiExamples = (page: string): ApiExample[] =>
  blocksOf(page)
    .filter(({ info }) => info === "http")
    .map(({ at, text }) => {
      const [, who = "visitor"] = /^# as the (.+)$/m.exec(text) ?? [];
      const bare = text.replace(/^#.*\n/gm, "");
      const end = bare.search(/^HTTP\/1\.1 /m);
      const request = messageOf(bare.slice(0, end).trimEnd());
      const answer = messageOf(bare.slice(end).trimEnd());
      const [method = "", path = ""] = request.first.split(" ");
      const status = Number(answer.first.split(" ")[1]);
      return { at, who, method, path, ...request, answer: { ...answer, status } };
    });

const messageOf = (text: string) => {
  const [head = "", ...rest] = text.split("\n\n");
  const [first = "", ...lines] = head.split("\n");
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(":")).toLowerCase(),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  );
  return { first, headers, body: rest.join("\n\n") };
};

/** What `$NAME` in an example stands for: given at first, then learnt from the answers. */
export class Variables {
  readonly #known = new Map<string, string>();

  constructor(given: Readonly<Record<string, string>>) {
    for (const [name, value] of Object.entries(given)) this.#known.set(name, value);
  }

  in(text: string, who: string): string {
    return text.replace(/\$([A-Z_]+)/g, (_all, name: string) => {
      const value = this.#known.get(`${who} ${name}`) ?? this.#known.get(name);
      if (value === undefined) throw new Error(`nobody has told ${name} to the ${who}`);
      return value;
    });
  }

  learn(answer: Answer, who: string): void {
    const json = jsonOf(answer.text);
    const told: Record<string, unknown> = {
      TICKET: answer.headers["seiriken-ticket"] ?? json["ticket"],
      PASS: answer.headers["seiriken-pass"] ?? json["pass"],
      OWNER: json["owner"],
      VISIT: json["visit"],
      KEY: (json["keys"] as string[] | undefined)?.at(-1),
      ETAG: answer.headers["etag"],
      TILL_TOKEN: json["scope"] === undefined ? undefined : json["token"],
      TOKEN_ID: json["token"] === undefined ? undefined : json["id"],
      EVENT: (json["result"] as Readonly<Record<string, unknown>> | null | undefined)?.["id"],
    };
    for (const [name, value] of Object.entries(told))
      if (typeof value === "string" || typeof value === "number")
        for (const key of [`${who} ${name}`, name]) this.#known.set(key, String(value));
  }
}

export const jsonOf = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
};

export const perform = async (
  url: string,
  example: ApiExample,
  variables: Variables,
): Promise<Answer> => {
  const { who, method, path, headers, body } = example;
  const sent = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, variables.in(value, who)]),
  );
  const answer = await ask(url + variables.in(path, who), {
    method,
    headers: sent,
    ...(body === "" ? {} : { body }),
  });
  variables.learn(answer, who);
  return answer;
};

/** Members whose words are the contract's, and not only their kind. */
const LITERAL = new Set(
  "code detail host key name namespace path permit room title type".split(" "),
);

type Json = Readonly<Record<string, unknown>>;
const isObject = (json: unknown): json is Json =>
  typeof json === "object" && json !== null && !Array.isArray(json);

const MORE = "…";

/**
 * Where an answer is not of the shape that is shown: members that are missing or that nobody shows
 * (unless the shown one ends in `…`), other kinds, other words where words are fixed.
 */
export const mismatches = (shown: unknown, came: unknown, at = ""): string[] => {
  if (Array.isArray(shown) && Array.isArray(came))
    return shown.length === 0 || came.length === 0 ? [] : mismatches(shown[0], came[0], `${at}[0]`);
  if (isObject(shown) && isObject(came)) {
    // whether a wait is known depends on what the room has seen, and only an unknown one has a reason
    const shownKeys = Object.keys(shown).filter((key) => key !== MORE && key !== "reason");
    const more = Object.keys(came).filter((key) => key !== "reason" && !(key in shown));
    return [
      ...shownKeys.flatMap((key) =>
        key in came
          ? (wordProblems(shown, came, key, at) ??
            mismatches(shown[key], came[key], `${at}/${key}`))
          : [`${at}/${key} is missing`],
      ),
      ...(MORE in shown ? [] : more.map((key) => `${at}/${key} is not shown`)),
    ];
  }
  const isSame = shown === null || came === null || typeof shown === typeof came;
  return isSame ? [] : [`${at} is ${JSON.stringify(came)}, shown as ${JSON.stringify(shown)}`];
};

const wordProblems = (shown: Json, came: Json, key: string, at: string): string[] | null => {
  const isState = key === "state" && "ticket" in shown;
  const isStatus = key === "status" && typeof shown[key] === "number";
  if (!isState && !isStatus && !(LITERAL.has(key) && typeof shown[key] !== "object")) return null;
  return shown[key] === came[key]
    ? []
    : [`${at}/${key} is ${JSON.stringify(came[key])}, shown as ${JSON.stringify(shown[key])}`];
};

/** Numbers, tokens and references differ each time. */
export const headerShape = (value: string): string =>
  value.replace(/eyJ[\w.…-]+/g, "a token").replace(/[\d:.TZ-]*\d[\d:.TZ-]*/g, "0");
