/** Gets a draw's documents from a URL, a file or standard input. Nothing of them is believed yet. */
import { readFileSync } from "node:fs";
import { RECORD_LENGTH_MAX, type ParsedDraw } from "../../src/api/draws/record.ts";
import { describe, Failure } from "../launch/failure.ts";

const ANSWER_WITHIN_MS = 10_000;

type Parse<T> = (json: string) => ParsedDraw<T>;

/** The record at a URL, or in a file. */
export const readDraw = async <T>(
  source: string,
  parse: Parse<T>,
  fetchWith: typeof fetch = fetch,
): Promise<T> =>
  /^https?:\/\//i.test(source)
    ? parsedFrom(source, await downloaded(source, fetchWith), parse)
    : readDrawFile(source, parse);

/** `-` is standard input. */
export const readDrawFile = <T>(path: string, parse: Parse<T>): T => {
  let json: string;
  try {
    json = readFileSync(path === "-" ? 0 : path, "utf8");
  } catch (thrown) {
    throw new Failure("unreadable", `${path} can't be read: ${describe(thrown)}`);
  }
  return parsedFrom(path, json, parse);
};

const parsedFrom = <T>(source: string, json: string, parse: Parse<T>): T => {
  const parsed = parse(json.replace(/^\uFEFF/, ""));
  if (parsed.ok) return parsed.value;
  throw new Failure("not-a-record", `${source} is not what it should be`, parsed.problems);
};

const downloaded = async (url: string, fetchWith: typeof fetch): Promise<string> => {
  try {
    const response = await fetchWith(url, {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    if (!response.ok)
      throw new Failure("unreadable", `${url} answered ${response.status}`, [
        "is it the address of a draw, .../.seiriken/rooms/ROOM/draws/EVENT?",
      ]);
    return await beginningOf(response);
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    throw new Failure("unreachable", `${url} does not answer (${describe(thrown)})`);
  }
};

/** No more of it than what is too long already. */
const beginningOf = async (response: Response): Promise<string> => {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let json = "";
  while (reader !== undefined && json.length <= RECORD_LENGTH_MAX) {
    const { done, value } = await reader.read();
    if (done) return json + decoder.decode();
    json += decoder.decode(value, { stream: true });
  }
  await reader?.cancel();
  return json;
};
