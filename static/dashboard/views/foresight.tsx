import type { ComponentChildren } from "preact";
import type { LiveMessage } from "../../../src/core/live/message.ts";
import type { Act } from "../changes/acts.ts";

interface ForesightProps {
  readonly message: LiveMessage | null;
  readonly act: Act;
}

/** What the act would lead to, beside what comes without it. */
export const Foresight = ({ act }: ForesightProps) => (
  <ul class="says">
    {act.says.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);

/** For the question before the act; nothing where nothing can be foretold. */
export const foreseen = (_message: LiveMessage | null, _act: Act): ComponentChildren => null;
