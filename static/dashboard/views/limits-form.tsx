import { useState } from "preact/hooks";
import { limitsAct, wholeOf, type Limits } from "../changes/acts.ts";
import { NumberField } from "../parts/field.tsx";
import { count } from "../text/format.ts";
import type { ControlProps } from "./controls.tsx";
import { Foresight } from "./foresight.tsx";

const COUNT_MAX = 100_000_000;
const PER_SECOND_MAX = 1_000_000;

/** How many may be on the site, and how fast they may come; with the course that other limits would lead to. */
export const LimitsForm = ({ room, message, steer }: ControlProps) => {
  const now: Limits = {
    permits: room.total_active_users,
    perMinute: room.new_users_per_minute,
    perSecond: room.seiriken.starts_per_second,
  };
  const [permits, setPermits] = useState(String(now.permits));
  const [perMinute, setPerMinute] = useState(String(now.perMinute));
  const [perSecond, setPerSecond] = useState(String(now.perSecond ?? ""));
  const wanted = wantedOf(permits, perMinute, perSecond);
  const isOther =
    wanted !== null &&
    (wanted.permits !== now.permits ||
      wanted.perMinute !== now.perMinute ||
      wanted.perSecond !== now.perSecond);
  const act = isOther ? limitsAct(now, wanted, message) : null;
  return (
    <section class="card">
      <h2>Limits</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (act !== null) void steer(act);
        }}
      >
        <div class="row">
          <NumberField
            label="On the site"
            hint={`now ${count(now.permits)}`}
            value={permits}
            onInput={setPermits}
            least={1}
            most={COUNT_MAX}
          />
          <NumberField
            label="In a minute"
            hint={`now ${count(now.perMinute)}`}
            value={perMinute}
            onInput={setPerMinute}
            least={1}
            most={COUNT_MAX}
          />
          <NumberField
            label="In a second"
            hint={
              now.perSecond === null
                ? "now none; empty: none"
                : `now ${count(now.perSecond)}; empty: none`
            }
            value={perSecond}
            onInput={setPerSecond}
            least={1}
            most={PER_SECOND_MAX}
            mayBeEmpty={true}
          />
        </div>
        {act !== null && <Foresight message={message} act={act} />}
        <p class="actions">
          <button type="submit" class="main" disabled={act === null}>
            Change the limits
          </button>
          <button
            type="button"
            disabled={act === null}
            onClick={() => {
              setPermits(String(now.permits));
              setPerMinute(String(now.perMinute));
              setPerSecond(String(now.perSecond ?? ""));
            }}
          >
            As they are
          </button>
        </p>
      </form>
    </section>
  );
};

const wantedOf = (permits: string, perMinute: string, perSecond: string): Limits | null => {
  const wholePermits = wholeOf(permits, 1, COUNT_MAX);
  const wholePerMinute = wholeOf(perMinute, 1, COUNT_MAX);
  const isUnlimited = perSecond.trim() === "";
  const wholePerSecond = isUnlimited ? null : wholeOf(perSecond, 1, PER_SECOND_MAX);
  if (wholePermits === null || wholePerMinute === null) return null;
  if (!isUnlimited && wholePerSecond === null) return null;
  return { permits: wholePermits, perMinute: wholePerMinute, perSecond: wholePerSecond };
};
