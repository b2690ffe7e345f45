/** Cloudflare's settings of a zone, over the one set that a deployment has. */
import { Hono, type Context } from "hono";
import { ERROR_CODES, refusedFields, succeeded, type EnvelopeNote } from "../../api/envelope.ts";
import { isRecord } from "../../api/fields.ts";
import { merged } from "../../api/merge-patch.ts";
import {
  parseZoneSettings,
  zoneSettingsOf,
  zoneSettingsResource,
} from "../../api/zone-settings.ts";
import { differencesOf } from "../../core/differences.ts";
import { ZONE_DEFAULTS, type ZoneSettings } from "../../core/zone-settings.ts";
import type { RegistryRpc } from "../../durable/contract.ts";
import { knowsCrawlers } from "../arrival/crawler.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { needs } from "../sign-in/needs.ts";
import { authorOf, tellChange } from "./audit.ts";

type C = Context<AppContext>;

export const zoneSettingsApp = (jsonBodyOf: (c: C) => Promise<unknown>): Hono<AppContext> => {
  const app = new Hono<AppContext>();
  app.get("/settings", needs("read", "own-rooms"), async (c) =>
    c.json(succeeded(zoneSettingsResource(await standing(c)))),
  );
  app.put("/settings", needs("admin"), async (c) => change(c, await jsonBodyOf(c)));
  app.patch("/settings", needs("admin"), async (c) => {
    const json = await jsonBodyOf(c);
    const onto = zoneSettingsResource(await standing(c));
    return change(c, isRecord(json) ? merged({ ...onto }, json) : json);
  });
  return app;
};

const registryOf = (c: C): RegistryRpc => c.env.REGISTRY.getByName("registry");

const standing = async (c: C): Promise<ZoneSettings> =>
  (await registryOf(c).definitions(null))?.settings ?? ZONE_DEFAULTS;

/** Two changes at once can't undo each other: there is one setting. */
const change = async (c: C, json: unknown): Promise<Response> => {
  const read = parseZoneSettings(json);
  if (!read.ok) throw refusedFields(read.problems);
  const before = await registryOf(c).changeSettings(zoneSettingsOf(read.output), authorOf(c));
  const { changes } = differencesOf(zoneSettingsResource(before), read.output);
  if (Object.keys(changes).length > 0) tellChange(c, { action: "zone-settings-changed", changes });
  return c.json(succeeded(read.output, notesOn(c, zoneSettingsOf(read.output))));
};

const notesOn = (c: C, { crawlersPass }: ZoneSettings): readonly EnvelopeNote[] =>
  crawlersPass && !knowsCrawlers(c.var.arrival) ? [NO_CRAWLERS_KNOWN] : [];

const NO_CRAWLERS_KNOWN: EnvelopeNote = {
  code: ERROR_CODES["edge-only"],
  message:
    "search_engine_crawler_bypass lets nobody by here: which crawlers are verified is what Cloudflare's " +
    "edge says of each request, and it said nothing of this one.",
  source: { pointer: "/search_engine_crawler_bypass" },
};
