/** What an operator is told of a page of one's own that looks up what is never there. */
import { ERROR_CODES, type EnvelopeNote } from "../../api/envelope.ts";
import { readTemplate } from "../../api/rooms/page-template.ts";
import { isRecord } from "../../api/fields.ts";
import { sampleVariables } from "./preview-page.ts";

const NAMES_TOLD = 3;
const NAME_LENGTH_MAX = 40;

/** @param field where the page stands in the request */
export const notesOnPage = (
  html: string | null | undefined,
  field: "custom_page_html" | "custom_html",
): readonly EnvelopeNote[] => {
  const read = readTemplate(html ?? "");
  const unknown = read.ok ? [...read.names].filter((name) => !isKnown(name)) : [];
  if (unknown.length === 0) return [];
  const told = unknown.slice(0, NAMES_TOLD).map((name) => `"${name.slice(0, NAME_LENGTH_MAX)}"`);
  const more = unknown.length > told.length ? ` and ${unknown.length - told.length} more` : "";
  const message = `${field} looks up ${told.join(", ")}${more}: nothing is ever there.`;
  return [{ code: ERROR_CODES["always-empty"], message, source: { pointer: `/${field}` } }];
};

/** A dot alone is what a section is about; parts of what is known may be something. */
const isKnown = (name: string): boolean => {
  const [first = "", second] = name.split(".");
  const value = sampleVariables()[first];
  if (name === ".") return true;
  if (value === undefined) return false;
  return second === undefined || !isRecord(value) || second in value;
};
