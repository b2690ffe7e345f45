/**
 * A look at a page of one's own before it is any room's: Cloudflare's call, and the page behind its link.
 * The link is signed, so that no guess at one reaches an object; what it shows may run its scripts but is
 * of no origin, so that it acts in nobody's name.
 */
import { Hono, type Context } from "hono";
import * as v from "valibot";
import { pageTemplateField } from "../../api/rooms/page-template.ts";
import { ApiRefusal, refusedFields, succeeded } from "../../api/envelope.ts";
import { exactly, problemsOf } from "../../api/fields.ts";
import { hex } from "../../core/hex.ts";
import { PREFIX } from "../../durable/contract.ts";
import type { RegistryRpc } from "../../durable/contract.ts";
import { errorResponse } from "../answers/error-response.ts";
import { setCommonHeaders } from "../answers/our-headers.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { reasonOf } from "../platform/log.ts";
import type { Keyring } from "../tokens/keyring.ts";

import { notesOnPage } from "./page-notes.ts";
import { renderPreview } from "./preview-page.ts";

export const PREVIEW_PATH = `${PREFIX}/preview`;

const ID_BYTES = 16;
const MAC_BYTES = 16;
const LINK = /^([0-9a-f]{32})([0-9a-f]{32})$/;

type C = Context<AppContext>;

const previewSchema = exactly({ custom_html: pageTemplateField });

const registryOf = (c: C): RegistryRpc => c.env.REGISTRY.getByName("registry");

const macOf = async (keys: Keyring, id: string): Promise<string> =>
  hex((await keys.mac(`preview\n${id}`)).slice(0, MAC_BYTES));

export const makePreview = async (c: C, json: unknown): Promise<Response> => {
  const read = v.safeParse(previewSchema, json);
  if (!read.success) throw refusedFields(problemsOf(read.issues));
  const { isolate, arrival } = c.var;
  const deployment = await isolate.deployments.current(arrival);
  if (deployment === null) throw new ApiRefusal("unavailable", "It is not ready yet. Try again.");
  const id = hex(isolate.ports.randomBytes(ID_BYTES));
  const { custom_html: html } = read.output;
  await registryOf(c).keepPreview(id, html);
  const link = `${PREVIEW_PATH}/${id}${await macOf(deployment.keys, id)}`;
  const result = { preview_url: arrival.url.origin + link };
  return c.json(succeeded(result, notesOnPage(html, "custom_html")));
};

/** `sandbox` takes the page out of the site's origin: no cookies, no storage, no forms, nothing opened. */
const POLICY = "sandbox allow-scripts; frame-ancestors 'self'";

export const previewApp = new Hono<AppContext>();

previewApp.get("/:link", async (c) => {
  const { arrival, deployment } = c.var;
  const [, id = "", mac = ""] = LINK.exec(c.req.param("link")) ?? [];
  const isOurs = id !== "" && mac === (await macOf(deployment.keys, id));
  const kept = isOurs ? await registryOf(c).preview(id) : null;
  if (kept === null) return errorResponse(arrival, null, "not-found");
  const html = htmlOf(kept.html, arrival.url.searchParams);
  const answer = new Response(html, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": POLICY,
      "Referrer-Policy": "no-referrer",
      "X-Robots-Tag": "noindex, nofollow",
    },
  });
  setCommonHeaders(answer.headers, arrival, null);
  return answer;
});

/** Whoever looks at it made it: why it cannot be shown is theirs to read. */
const htmlOf = (template: string, query: URLSearchParams): string => {
  try {
    return renderPreview(template, query);
  } catch (error) {
    const reason = reasonOf(error).replace(/[<&]/g, (sign) => `&#${sign.charCodeAt(0)};`);
    return `<!doctype html><title>Preview</title><p>This page cannot be shown: ${reason}`;
  }
};
