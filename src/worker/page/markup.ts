// oxlint-disable-next-line typescript/triple-slash-reference -- mustache brings no types: programs that include this file have to find ours
/// <reference path="./mustache.d.ts" />
import Mustache from "mustache";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * A template of ours, filled: attributes have quotes, so that nothing more than these five has to be
 * escaped. Mustache itself writes each slash of an address as six letters.
 */
export const markup = (template: string, view: object): string =>
  Mustache.render(template, view, {}, { escape: escaped });

const escaped = (text: unknown): string =>
  String(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
