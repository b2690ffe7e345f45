/** Webhooks: what is told to whom, tried by hand, and how deliveries went. */
import { useState } from "preact/hooks";
import { ALERT_WORDS } from "../../../src/api/webhooks/words.ts";
import type { WebhookResource, WebhookWithSecret } from "../../../src/api/webhooks/resource.ts";
import { sayFailure } from "../client/answer.ts";
import {
  deleteWebhook,
  listWebhooks,
  makeWebhook,
  patchWebhook,
  readDeliveries,
  renewSecret,
  testWebhook,
} from "../client/operators-api.ts";
import { useAsked } from "../client/use-asked.ts";
import { Dialog } from "../parts/dialog.tsx";
import { TextField, TickField } from "../parts/field.tsx";
import { FailureNotice, Notice } from "../parts/notice.tsx";
import { ShownOnce } from "../parts/shown-once.tsx";
import { useSession } from "../session.ts";
import { count, dayTimeOf } from "../text/format.ts";

const EVERY_MS = 10_000;

export const WebhooksView = () => {
  const { client, may } = useSession();
  const { value, failure, again } = useAsked("webhooks", () => listWebhooks(client), EVERY_MS);
  const [isMaking, setMaking] = useState(false);
  const [shown, setShown] = useState<WebhookWithSecret | null>(null);
  return (
    <main class="listed">
      <header class="bar">
        <h1>Webhooks</h1>
        <p class="soft">Alerts that are posted, signed, to addresses of yours.</p>
        {may("admin") && (
          <button type="button" class="main far" onClick={() => setMaking(true)}>
            Make a webhook
          </button>
        )}
      </header>
      <FailureNotice failure={failure} />
      {value?.webhooks.length === 0 && (
        <Notice kind="told">
          There is none yet. One can tell you when a line begins, when the site fails, or that
          somebody changed something.
        </Notice>
      )}
      <ul class="stack">
        {value?.webhooks.map((webhook) => (
          <li key={webhook.id}>
            <WebhookCard webhook={webhook} onChanged={again} onSecret={setShown} />
          </li>
        ))}
      </ul>
      {isMaking && (
        <WebhookForm
          onClose={() => setMaking(false)}
          onMade={(webhook) => {
            setMaking(false);
            setShown(webhook);
            again();
          }}
        />
      )}
      {shown !== null && (
        <ShownOnce
          title={`Secret of ${shown.name}`}
          secret={shown.secret}
          says="Your receiver verifies with it that alerts are ours (Standard Webhooks)."
          onClose={() => setShown(null)}
        />
      )}
    </main>
  );
};

interface WebhookCardProps {
  readonly webhook: WebhookResource;
  readonly onChanged: () => void;
  readonly onSecret: (webhook: WebhookWithSecret) => void;
}

const OFF_BECAUSE = {
  gone: "Off: its receiver said that it is gone (410).",
  failing: "Off: nothing could be delivered for five days.",
} as const;

const standingOf = ({ enabled, off_reason, failing_since }: WebhookResource): string => {
  if (!enabled) return off_reason === null ? "Off." : OFF_BECAUSE[off_reason];
  return failing_since === null
    ? "On."
    : `On, but nothing has been delivered since ${dayTimeOf(Date.parse(failing_since))}.`;
};

const WebhookCard = ({ webhook, onChanged, onSecret }: WebhookCardProps) => {
  const { client, ask, tell, may } = useSession();
  const { id, name, url, types, enabled, dropped } = webhook;
  const [areShown, setShown] = useState(false);
  const test = async (): Promise<void> => {
    const answer = await testWebhook(client, id);
    if (!answer.ok) return tell(sayFailure(answer), "failed");
    const { status, took_ms, problem } = answer.value;
    if (problem === null) tell(`${name} answered ${status} in ${count(took_ms)} ms.`);
    else tell(`The test of ${name}: ${problem}${status === null ? "" : ` (${status})`}`, "failed");
  };
  const turn = async (): Promise<void> => {
    const answer = await patchWebhook(client, id, { enabled: !enabled });
    if (answer.ok) tell(`${name} is ${enabled ? "off" : "on"}.`);
    else tell(sayFailure(answer), "failed");
    onChanged();
  };
  const renew = async (): Promise<void> => {
    const isMeant = await ask({
      title: `Make a new secret for ${name}?`,
      says: ["The present one signs too for a day, so that your receiver can change over."],
      action: "Make a new secret",
    });
    if (!isMeant) return;
    const answer = await renewSecret(client, id);
    if (answer.ok) onSecret(answer.value);
    else tell(sayFailure(answer), "failed");
  };
  const remove = async (): Promise<void> => {
    const isMeant = await ask({
      title: `Delete ${name}?`,
      says: ["What has not been delivered goes with it. It can't be brought back."],
      action: "Delete",
      typed: name,
    });
    if (!isMeant) return;
    const answer = await deleteWebhook(client, id);
    if (answer.ok) tell(`${name} is deleted.`);
    else tell(sayFailure(answer), "failed");
    onChanged();
  };
  return (
    <article class="card">
      <header class="bar">
        <h2>{name}</h2>
        <p class={enabled && webhook.failing_since === null ? "soft" : "problem"}>
          {standingOf(webhook)}
        </p>
      </header>
      <p class="code where">{url}</p>
      <p>{types === null ? "Every alert" : types.join(", ")}</p>
      {dropped > 0 && (
        <p class="problem">{count(dropped)} alerts went unsent, beyond the 1,000 that are kept.</p>
      )}
      <p class="actions">
        <button type="button" onClick={() => setShown(!areShown)} aria-expanded={areShown}>
          Deliveries<span class="unseen"> of {name}</span>
        </button>
        {may("admin") && (
          <>
            <button type="button" onClick={() => void test()}>
              Send a test<span class="unseen"> to {name}</span>
            </button>
            <button type="button" onClick={() => void turn()}>
              {enabled ? "Turn off" : "Turn on"}
              <span class="unseen"> {name}</span>
            </button>
            <button type="button" onClick={() => void renew()}>
              New secret<span class="unseen"> for {name}</span>
            </button>
            <button type="button" onClick={() => void remove()}>
              Delete<span class="unseen"> {name}</span>
            </button>
          </>
        )}
      </p>
      {areShown && <Deliveries webhook={id} />}
    </article>
  );
};

const Deliveries = ({ webhook }: { readonly webhook: string }) => {
  const { client } = useSession();
  const { value, failure } = useAsked(webhook, () => readDeliveries(client, webhook), EVERY_MS);
  if (value === null) return <FailureNotice failure={failure} />;
  if (value.deliveries.length === 0) return <p class="soft">Nothing has been sent yet.</p>;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="The latest deliveries">
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Alert</th>
            <th scope="col">State</th>
            <th scope="col">Last try</th>
          </tr>
        </thead>
        <tbody>
          {value.deliveries.map(({ id, type, state, noted_at, tries, next_try_at, last_try }) => (
            <tr key={id}>
              <td>{dayTimeOf(Date.parse(noted_at))}</td>
              <td class="code">{type}</td>
              <td>
                {state}
                {next_try_at === null ? "" : `, next ${dayTimeOf(Date.parse(next_try_at))}`}
              </td>
              <td>
                {last_try === null
                  ? "none yet"
                  : `${last_try.problem ?? `answered ${last_try.status}`} (try ${count(tries)})`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

interface WebhookFormProps {
  readonly onClose: () => void;
  readonly onMade: (webhook: WebhookWithSecret) => void;
}

const WANTED = Object.entries(ALERT_WORDS).filter(([type]) => type !== "webhook.test");

const WebhookForm = ({ onClose, onMade }: WebhookFormProps) => {
  const { client } = useSession();
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = useState<string | null>(null);
  const make = async (): Promise<void> => {
    const types = chosen.size === 0 ? null : [...chosen];
    const answer = await makeWebhook(client, { name: name.trim(), url: url.trim(), types });
    if (answer.ok) onMade(answer.value);
    else setProblem(sayFailure(answer));
  };
  return (
    <Dialog title="Make a webhook" onClose={onClose} isWide={true}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        {problem !== null && <Notice kind="failed">{problem}</Notice>}
        <TextField label="Name" value={name} onInput={setName} maxLength={64} isRequired={true} />
        <TextField
          label="Address"
          hint="https; alerts are posted there as JSON."
          value={url}
          onInput={setUrl}
          maxLength={2_000}
          isRequired={true}
          isCode={true}
        />
        <fieldset>
          <legend>Alerts (none ticked: all of them)</legend>
          {WANTED.map(([type, says]) => (
            <TickField
              key={type}
              label={`${type}: ${says.replaceAll("`", "")}`}
              isOn={chosen.has(type)}
              onChange={(isOn) => {
                const next = new Set(chosen);
                if (isOn) next.add(type);
                else next.delete(type);
                setChosen(next);
              }}
            />
          ))}
        </fieldset>
        <p class="actions">
          <button type="button" onClick={onClose}>
            Leave it
          </button>
          <button type="submit" class="main">
            Make the webhook
          </button>
        </p>
      </form>
    </Dialog>
  );
};
