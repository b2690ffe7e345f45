import type { RoomMode } from "../../../src/core/snapshot.ts";
import { MODES } from "../text/modes.ts";

/** Each differs by its shape, so that no one has to tell colours apart. */
const SHAPES: Readonly<Record<RoomMode | "gone", string>> = {
  open: "M8 2a6 6 0 1 1 0 12a6 6 0 0 1 0-12z",
  queues: "M2 3h3v10H2zM6.5 3h3v10h-3zM11 3h3v10h-3z",
  paused: "M3 2h4v12H3zM9 2h4v12H9z",
  closed: "M2 2h12v12H2z",
  suspended: "M2 2l6 6-6 6zM8 2l6 6-6 6z",
  gone: "M2 7h12v2H2z",
};

export const ModeBadge = ({ mode }: { readonly mode: RoomMode | null }) => (
  <span class={`mode mode-${mode ?? "gone"}`} title={mode === null ? "" : MODES[mode].says}>
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d={SHAPES[mode ?? "gone"]} />
    </svg>
    {mode === null ? "Not reached" : MODES[mode].word}
  </span>
);
