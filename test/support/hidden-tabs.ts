import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket } from "ws";
import { chromiumPath } from "../../scripts/browser.ts";
import { BROWSER_FLAGS } from "./browser.ts";
import { eventually } from "./eventually.ts";

/**
 * Tabs that are really hidden, frozen and thrown away: Chromium by its own protocol. playwright-core
 * makes every page believe that it has the focus, and such a page is never hidden.
 */
export interface HiddenTabs extends AsyncDisposable {
  /** A tab in front of those before it, or the first one of another window. */
  open(url: string, where?: "tab" | "window"): Promise<Tab>;
  /** What sites of this origin may do from now on without a question. */
  allow(origin: string, permission: "notifications"): Promise<void>;
}

export interface Tab {
  /** The value of an expression in the page; promises are awaited. */
  ask<T>(expression: string): Promise<T>;
  /** Brings it to the front of its window. */
  show(): Promise<void>;
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  reload(): Promise<void>;
  /**
   * From now on, what the browser does about notifications of the tab's site, such as `Notification
   * displayed: It is your turn`. Asking a worker which are shown can make Chromium forget one that is on
   * its way (1 look in 20 on a busy machine), so that nobody asks before it is heard of here.
   */
  hearNotifications(): Promise<readonly string[]>;
  /** Throws its page away, as the browser does for want of memory. It is loaded again when it is shown. */
  discard(): Promise<void>;
}

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly sessionId?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}
type Send = <T>(method: string, params?: object, session?: string) => Promise<T>;
interface Evaluated {
  readonly result: { readonly value?: unknown };
  readonly exceptionDetails?: { readonly exception?: { readonly description?: string } };
}

/** What the browser has recorded of a service worker's doings. */
interface BackgroundEvent {
  readonly eventName: string;
  readonly eventMetadata: readonly { readonly key: string; readonly value: string }[];
}
type Hear = (event: BackgroundEvent) => void;
const HEARD = "BackgroundService.backgroundServiceEventReceived";

interface Connection {
  readonly send: Send;
  readonly hear: (session: string, hear: Hear) => void;
  readonly close: () => void;
}

const connect = async (url: string): Promise<Connection> => {
  const socket = new WebSocket(url);
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  const asked = new Map<number, (answer: Answer) => void>();
  const hearers = new Map<string, Hear>();
  socket.on("message", (bytes) => {
    const answer = JSON.parse((bytes as Buffer).toString()) as Answer;
    if (answer.id !== undefined) asked.get(answer.id)?.(answer);
    else if (answer.method === HEARD) {
      const { backgroundServiceEvent } = answer.params as {
        backgroundServiceEvent: BackgroundEvent;
      };
      hearers.get(answer.sessionId ?? "")?.(backgroundServiceEvent);
    }
  });
  let last = 0;
  const send = <T>(method: string, params: object = {}, sessionId?: string): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const id = ++last;
      asked.set(id, ({ result, error }) => {
        asked.delete(id);
        if (error === undefined) resolve(result as T);
        else reject(new Error(`${method}: ${error.message}`));
      });
      socket.send(JSON.stringify({ id, method, params, sessionId }));
    });
  return {
    send,
    hear: (session, hear) => hearers.set(session, hear),
    close: () => socket.close(),
  };
};

/** With the name by which the protocol knows it first. */
interface OwnTab extends Tab {
  readonly id: string;
}

/** The page that throws tabs away is for developers; this setting shows it. */
const SETTINGS = { internal_only_uis_enabled: true };
const DISCARD = (url: string): string => `(() => {
  const list = document.querySelector("discards-main")?.shadowRoot?.querySelector("discards-tab");
  const row = [...(list?.shadowRoot?.querySelectorAll("tr") ?? [])]
    .find((row) => row.innerText.includes(${JSON.stringify(url)}));
  const links = [...(row?.querySelectorAll("*") ?? [])]
    .filter((link) => link.innerText.trim() === "[Urgent Discard]");
  links.at(-1)?.click();
  return links.length > 0;
})()`;

export const openHiddenTabs = async (): Promise<HiddenTabs> => {
  const folder = mkdtempSync(join(tmpdir(), "seiriken-tabs-"));
  writeFileSync(join(folder, "Local State"), JSON.stringify(SETTINGS));
  const flags = ["--headless=new", `--user-data-dir=${folder}`, "--remote-debugging-port=0"];
  const browser = spawn(chromiumPath(), [...BROWSER_FLAGS, ...flags, "about:blank"], {
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => browser.once("exit", resolve));
  // The browser writes the file in its own time, and the port before the path.
  const [port, path] = await eventually(() => {
    const written = readFileSync(join(folder, "DevToolsActivePort"), "utf8");
    const [, ...parts] = /^(\d+)\n(\/\S+)$/.exec(written.trim()) ?? [];
    if (parts.length === 0) throw new Error(`no port yet: ${JSON.stringify(written)}`);
    return parts;
  });
  const { send, hear, close } = await connect(`ws://127.0.0.1:${port}${path}`);

  const open = async (url: string, where: "tab" | "window" = "tab"): Promise<OwnTab> => {
    const newWindow = where === "window";
    let { targetId } = await send<{ targetId: string }>("Target.createTarget", { url, newWindow });
    let session = await attach(targetId);
    const ask = async <T>(expression: string): Promise<T> => {
      const params = { expression, awaitPromise: true, returnByValue: true };
      const answer = await send<Evaluated>("Runtime.evaluate", params, session);
      const { exceptionDetails: wrong } = answer;
      if (wrong !== undefined) throw new Error(wrong.exception?.description ?? expression);
      return answer.result.value as T;
    };
    const setState = (state: "frozen" | "active"): Promise<void> =>
      send("Page.setWebLifecycleState", { state }, session);
    return {
      ask,
      show: () => send("Target.activateTarget", { targetId }),
      freeze: () => setState("frozen"),
      thaw: () => setState("active"),
      reload: () => send("Page.reload", {}, session),
      async hearNotifications() {
        const heard: string[] = [];
        hear(session, ({ eventName, eventMetadata }) => {
          const { value } = eventMetadata.find(({ key }) => key === "Title") ?? {};
          heard.push(`${eventName}: ${value}`);
        });
        const service = "notifications";
        await send("BackgroundService.startObserving", { service }, session);
        await send("BackgroundService.setRecording", { service, shouldRecord: true }, session);
        return heard;
      },
      async discard() {
        // One that somebody inspects is not thrown away.
        await send("Target.detachFromTarget", { sessionId: session });
        const known = await targets();
        const list = await open("chrome://discards");
        await eventually(() => list.ask<boolean>(DISCARD(url)));
        targetId = await eventually(async () => {
          const fresh = (await targets()).find((id) => !known.includes(id) && id !== list.id);
          if (fresh === undefined) throw new Error(`${url} was not thrown away`);
          return fresh;
        });
        session = await attach(targetId);
      },
      id: targetId,
    };
  };

  const attach = async (targetId: string): Promise<string> => {
    const params = { targetId, flatten: true };
    return (await send<{ sessionId: string }>("Target.attachToTarget", params)).sessionId;
  };
  const targets = async (): Promise<string[]> => {
    const { targetInfos } = await send<{ targetInfos: { targetId: string; type: string }[] }>(
      "Target.getTargets",
    );
    return targetInfos.filter(({ type }) => type === "page").map(({ targetId }) => targetId);
  };

  return {
    open,
    allow: (origin, permission) =>
      send("Browser.grantPermissions", { origin, permissions: [permission] }),
    async [Symbol.asyncDispose]() {
      await send("Browser.close").catch(() => browser.kill("SIGKILL"));
      close();
      await ended;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};
