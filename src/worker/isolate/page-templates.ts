import { BoundedMap } from "../../core/collections/bounded-map.ts";
import { reasonOf } from "../platform/log.ts";
import type { Ports } from "../platform/ports.ts";
import { ownTemplate } from "../page/own-template.ts";
import type { OwnTemplate, PageVariables } from "../page/own-template.ts";

/** Parsed, the largest template takes a few hundred KB. */
const TEMPLATES_MAX = 64;

/**
 * Operators' own pages, each parsed once for each of its versions. One that cannot be shown is logged
 * once, and not tried again.
 */
export class PageTemplates {
  readonly #ports: Ports;
  readonly #parsed = new BoundedMap<string, OwnTemplate | "unusable">(TEMPLATES_MAX);

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Null where the template cannot be shown. */
  of(room: string, html: string): OwnTemplate | null {
    const known = this.#parsed.get(html);
    if (known !== undefined) return known === "unusable" ? null : known;
    const parsed = ownTemplate(html);
    if (parsed === null) return this.#giveUp(room, html, "it does not parse");
    this.#parsed.set(html, parsed);
    return parsed;
  }

  /** Null where it cannot be rendered. */
  render(room: string, html: string, variables: PageVariables): string | null {
    try {
      return this.of(room, html)?.render(variables) ?? null;
    } catch (error) {
      return this.#giveUp(room, html, reasonOf(error));
    }
  }

  #giveUp(room: string, html: string, reason: string): null {
    this.#parsed.set(html, "unusable");
    this.#ports.log({ level: "error", event: "own-page-unusable", room, reason });
    return null;
  }
}
