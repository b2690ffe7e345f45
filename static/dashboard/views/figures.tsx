import type { ComponentChildren } from "preact";
import type { LiveMessage } from "../../../src/core/live/message.ts";
import type { Eta } from "../../../src/core/estimate/eta.ts";
import { sumOf, type LivePoint } from "../live/series.ts";
import { Bars } from "../parts/bars.tsx";
import { Spark } from "../parts/spark.tsx";
import { count, plural, rate } from "../text/format.ts";
import { waitNote, waitText } from "../text/waits.ts";

interface FigureProps {
  readonly label: string;
  readonly value: string;
  readonly of?: string;
  readonly note: ComponentChildren;
  readonly values?: readonly number[];
  readonly least?: number;
  /** From 0 to 1: how much of its limit is used. */
  readonly share?: number;
}

const Figure = ({ label, value, of, note, values, least, share }: FigureProps) => (
  <div class="figure">
    <dt>{label}</dt>
    <dd>
      {value}
      {of !== undefined && <small> {of}</small>}
    </dd>
    {share !== undefined && (
      <svg class="meter" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect class="all" width="100" height="4" />
        <rect
          class={share >= 1 ? "full" : ""}
          width={Math.min(100, Math.max(0, share * 100))}
          height="4"
        />
      </svg>
    )}
    <dd class="note">{note}</dd>
    {values !== undefined && <Spark values={values} least={least ?? 1} />}
  </div>
);

/** Two minutes of each. */
const SPARKED = 120;

export const Figures = ({
  message,
  points,
}: {
  readonly message: LiveMessage;
  readonly points: readonly LivePoint[];
}) => {
  const recent = points.slice(-SPARKED);
  const perMinute = sumOf(message.starts);
  const perSecond = message.starts.at(-2) ?? 0;
  const { own } = message;
  const lowered = own.permits === message.permits ? "" : `, you set ${count(own.permits)}`;
  return (
    <dl class="figures">
      <Figure
        label="Waiting"
        value={count(message.waiting)}
        note={`${count(message.present)} present, ${count(message.away)} away${message.unconfirmed > 0 ? `, ${count(message.unconfirmed)} not heard yet` : ""}`}
        values={recent.map(({ waiting }) => waiting)}
        least={10}
      />
      <Figure
        label="Called"
        value={count(message.called)}
        note="have a permit and have not come yet"
        values={recent.map(({ called }) => called)}
        least={5}
      />
      <Figure
        label="On the site"
        value={count(message.visiting)}
        of={`of ${count(message.permits)}`}
        note={`${count(message.free)} free${lowered}`}
        share={(message.visiting + message.called) / Math.max(1, message.permits)}
        values={recent.map(({ visiting }) => visiting)}
        least={message.permits}
      />
      <Figure
        label="Entered, last minute"
        value={count(perMinute)}
        of={`of ${count(message.starts_per_minute)}`}
        note={`${rate(message.entries_per_minute)} a minute, smoothed`}
        share={perMinute / Math.max(1, message.starts_per_minute)}
        values={recent.map((point) => point.perMinute)}
      />
      <Figure
        label="Entered, last second"
        value={count(perSecond)}
        of={message.starts_per_second === null ? "" : `of ${count(message.starts_per_second)}`}
        note={
          message.starts_per_second === null ? "no limit by the second" : "the limit by the second"
        }
        {...(message.starts_per_second === null
          ? {}
          : { share: perSecond / message.starts_per_second })}
      />
      <WaitFigures {...message.waits} />
    </dl>
  );
};

const WaitFigures = ({ head, middle, end }: LiveMessage["waits"]) => {
  const ends: readonly (readonly [string, Eta])[] = [
    ["head", head],
    ["middle", middle],
    ["end", end],
  ];
  return (
    <div class="figure waits">
      <dt>Expected wait, by place in the line</dt>
      <dd>
        <table>
          <thead class="unseen">
            <tr>
              <th scope="col">Place</th>
              <th scope="col">Wait</th>
              <th scope="col">Range</th>
            </tr>
          </thead>
          <tbody>
            {ends.map(([place, eta]) => (
              <tr key={place}>
                <th scope="row">{place}</th>
                <td class="n">{waitText(eta)}</td>
                <td class="soft">{waitNote(eta)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </dd>
    </div>
  );
};

/** The ring: the last sixty seconds, each with what began in it. */
export const Ring = ({ message }: { readonly message: LiveMessage }) => {
  const { starts, starts_per_second: limit } = message;
  const values = [...Array<number>(Math.max(0, 60 - starts.length)).fill(0), ...starts];
  const most = Math.max(0, ...values);
  const says = `${count(sumOf(starts))} entered, ${count(most)} at most in one second${limit === null ? "" : ` of ${count(limit)}`}`;
  return (
    <figure class="ring card">
      <figcaption>
        <h2>The last 60 seconds</h2>
        <p class="soft">{says}</p>
      </figcaption>
      <Bars values={values} limit={limit} height={56} label={`${says}.`} />
      <p class="ends soft" aria-hidden="true">
        <span>60 s ago</span>
        <span>now</span>
      </p>
    </figure>
  );
};

/** The minute that runs, and what else an operator looks at. */
export const Minute = ({ message }: { readonly message: LiveMessage }) => {
  const { minute, lobbies } = message;
  const facts: readonly (readonly [string, number, string])[] = [
    ["Arrived", minute.arrivals, ""],
    ["Numbers taken", minute.issued, ""],
    ["Left the line", minute.left, ""],
    ["Entered", minute.entered, ""],
    ["Calls missed", minute.missed, minute.missed > 0 ? "warns" : ""],
    ["Refused", minute.refused, minute.refused > 0 ? "warns" : ""],
    ["Visits finished", minute.finished, ""],
    ["Visits run out", minute.expired, ""],
    ["Visits revoked", minute.revoked, minute.revoked > 0 ? "warns" : ""],
    ["Passed by a rule", minute.bypassed, ""],
    ["Origin errors", minute.origin_errors, minute.origin_errors > 0 ? "warns" : ""],
  ];
  return (
    <section class="minute card">
      <h2>This minute</h2>
      <dl>
        {facts.map(([label, value, kind]) => (
          <div key={label} class={kind}>
            <dt>{label}</dt>
            <dd>
              {kind === "warns" && <span aria-hidden="true">! </span>}
              {count(value)}
            </dd>
          </div>
        ))}
      </dl>
      <p class="soft lobbies">
        {plural(lobbies.count, "lobby", "lobbies")}
        {lobbies.present.length > 0 &&
          `, with ${lobbies.present.slice(0, 8).map(count).join(", ")} present`}
        {lobbies.present.length > 8 && " and more"}. {rate(message.arrivals_per_minute)} join a
        minute. {count(message.issued)} numbers given out so far.
      </p>
    </section>
  );
};
