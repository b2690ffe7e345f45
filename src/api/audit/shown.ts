/** How the audit log tells settings: by the names that the API has for them. */
import type { BypassRule } from "../../core/rules/bypass-rule.ts";
import { eventResource } from "../events/resource.ts";
import { resourceOf } from "../rooms/resource.ts";
import { zoneSettingsResource } from "../zone-settings.ts";

/** Of a rule, what an operator sets. */
const ruleSettings = ({ expression, description, enabled }: BypassRule): object => ({
  expression,
  description,
  enabled,
});

export const settingsShown = {
  room: resourceOf,
  event: eventResource,
  rule: ruleSettings,
  zone: zoneSettingsResource,
};
