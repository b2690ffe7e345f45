/**
 * Cloudflare's settings of a zone
 * (https://developers.cloudflare.com/api/resources/waiting_rooms/subresources/settings/). One deployment has one
 * set of them, whatever the zone.
 */
import type * as v from "valibot";
import { nullish } from "valibot";
import type { ZoneSettings } from "../core/zone-settings.ts";
import { documentBy, flag, settings, type ReadDocument } from "./fields.ts";

export const zoneSettingsSchema = settings(
  {
    search_engine_crawler_bypass:
      "Crawlers of search engines that Cloudflare has verified pass every room. Where Seiriken runs by itself nobody verifies them, and the answer says so.",
  },
  { search_engine_crawler_bypass: nullish(flag, false) },
);

export type ZoneSettingsResource = v.InferOutput<typeof zoneSettingsSchema>;

export const parseZoneSettings = (json: unknown): ReadDocument<ZoneSettingsResource> =>
  documentBy(zoneSettingsSchema, json, () => []);

export const zoneSettingsOf = (resource: ZoneSettingsResource): ZoneSettings => ({
  crawlersPass: resource.search_engine_crawler_bypass,
});

export const zoneSettingsResource = ({ crawlersPass }: ZoneSettings): ZoneSettingsResource => ({
  search_engine_crawler_bypass: crawlersPass,
});
