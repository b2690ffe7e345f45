import type { Author } from "../../core/audit/entry.ts";
import type { InstantMs } from "../../core/time.ts";
import type { ZoneSettings } from "../../core/zone-settings.ts";
import { zoneAct, type SettingsShown } from "./acts.ts";
import type { Books } from "./books.ts";

interface ZoneChange {
  readonly settings: ZoneSettings;
  readonly by: Author | undefined;
  readonly now: InstantMs;
}

/** Changes what holds for every room, and answers what held before. */
export const changeZone = (
  books: Books,
  shown: SettingsShown,
  { settings, by, now }: ZoneChange,
): ZoneSettings => {
  const before = books.settings.read();
  const isSame = JSON.stringify(before) === JSON.stringify(settings);
  books.publish(() => {
    books.settings.put(settings);
    if (!isSame) books.enter(by, now, () => zoneAct(shown, before, settings));
  });
  return before;
};
