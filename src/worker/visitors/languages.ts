import type { GateContext } from "../admission/context.ts";
import { compression } from "../answers/compression.ts";
import { returnPath } from "../answers/return-path.ts";
import { isSpeculative } from "../arrival/caller.ts";
import { LANGUAGES } from "../page/catalogs.ts";
import { renderLanguagesPage } from "../page/languages-page.ts";
import { languageCookie } from "../tokens/cookies.ts";
import { languagesOf } from "../tokens/language.ts";
import { targetWithin } from "./wait.ts";

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; " +
  "frame-ancestors 'self'";

/**
 * `GET …/languages?to=/path`: every language of the page. With `language` as well, the choice: kept in a
 * cookie, and back to where the visitor came from. No other site chooses, and no fetch in advance.
 */
export const getLanguages = (context: GateContext): Response => {
  const { arrival, room } = context;
  const { request, url } = arrival;
  const target = targetWithin(arrival, room, url.searchParams.get("to") ?? "");
  const to = target.origin === url.origin ? returnPath(target) : target.href;
  const chosen = url.searchParams.get("language") ?? "";
  const isVisitors =
    request.headers.get("Sec-Fetch-Site") !== "cross-site" && !isSpeculative(request);
  if (isVisitors && LANGUAGES.includes(chosen)) {
    const cookie = languageCookie(arrival, room, chosen);
    return new Response(null, { status: 303, headers: { Location: to, "Set-Cookie": cookie } });
  }
  const html = renderLanguagesPage({
    name: room.appearance.name ?? room.name,
    appearance: room.appearance,
    languages: languagesOf(request),
    defaultLanguage: room.kept.default_template_language,
    to,
  });
  return new Response(html, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      ...compression(request),
      "Content-Security-Policy": POLICY,
      "X-Robots-Tag": "noindex",
    },
  });
};
