/** Turnstile's widget: https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/ */
import type { TurnstileWidget } from "../../../src/page/state.ts";
import type { Notice } from "./notice.ts";

interface Turnstile {
  render(place: HTMLElement, options: Readonly<Record<string, unknown>>): string;
  reset(id: string): void;
}

/** Each call: a new token, or "" where none comes in time. */
export const createWidget = (
  { siteKey, script, appearance, room, patienceMs }: TurnstileWidget,
  notice: Notice,
): (() => Promise<string>) => {
  let api: Turnstile | null = null;
  let id: string | null = null;
  let told: (token: string) => void = () => undefined;
  let timer: number | undefined;

  const options = () => ({
    sitekey: siteKey,
    appearance,
    cData: room,
    language: document.documentElement.lang || "auto",
    callback: (token: string) => told(token),
    "error-callback": () => told(""),
    "unsupported-callback": () => told(""),
    // Somebody is at it: they may take their time.
    "before-interactive-callback": () => window.clearTimeout(timer),
    "timeout-callback": () => told(""),
  });

  const begin = (): void => {
    if (api === null) return;
    if (id === null) id = api.render(notice.place, options());
    else api.reset(id);
  };

  const load = (): void => {
    const element = document.createElement("script");
    element.src = script;
    element.onload = () => {
      api = (window as { turnstile?: Turnstile }).turnstile || null;
      if (api === null) return told("");
      begin();
    };
    // A blocker, or no way there.
    element.onerror = () => {
      element.remove();
      told("");
    };
    document.head.appendChild(element);
  };

  return () =>
    new Promise((resolve) => {
      notice.show();
      told = (token) => {
        window.clearTimeout(timer);
        resolve(token);
      };
      timer = window.setTimeout(() => told(""), patienceMs);
      if (api === null) load();
      else begin();
    });
};
