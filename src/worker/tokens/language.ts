import { LANGUAGE_COOKIE } from "./cookies.ts";

/** The runtime joins several Cookie lines by commas. What is not a short tag is nobody's choice. */
const CHOSEN = new RegExp(`(?:^|[;,])\\s*${LANGUAGE_COOKIE}=([A-Za-z-]{2,12})\\s*(?:[;,]|$)`);

/** The visitor's languages as in `Accept-Language`: before those of the browser the one that was chosen here. */
export const languagesOf = ({ headers }: Request): string => {
  const ofBrowser = headers.get("Accept-Language") ?? "";
  const chosen = CHOSEN.exec(headers.get("Cookie") ?? "")?.[1];
  return chosen === undefined ? ofBrowser : `${chosen},${ofBrowser}`;
};
