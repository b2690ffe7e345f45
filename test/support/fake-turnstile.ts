/** Turnstile on loopback: a widget whose token is the last segment of the page's path, and a verifier. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface FakeTurnstile {
  readonly env: Readonly<Record<string, string>>;
  /** What was verified, in order. */
  readonly verified: readonly URLSearchParams[];
  close(): Promise<void>;
}

const WIDGET = `window.turnstile = {
  render(place, options) {
    place.textContent = "widget of " + options.sitekey;
    this.again = () => setTimeout(() => options.callback(
      location.pathname.split("/").pop() + "-" + options.cData + "-" + Math.random()), 50);
    this.again();
    return "1";
  },
  reset() { this.again(); },
};`;

const verdictOn = (token: string, verified: readonly URLSearchParams[]): object => {
  const [kind, cdata] = token.split("-");
  const uses = verified.filter((asked) => asked.get("response") === token).length;
  return kind === "good" && uses === 1
    ? { success: true, cdata }
    : { success: false, "error-codes": [uses > 1 ? "timeout-or-duplicate" : "bad"] };
};

/** Tokens that begin with `good` pass once, those with `down` find the verifier dead, others fail. */
export const fakeTurnstile = async (): Promise<FakeTurnstile> => {
  const verified: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    if (request.method === "GET") {
      response.setHeader("Content-Type", "text/javascript");
      response.end(WIDGET);
      return;
    }
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const asked = new URLSearchParams(body);
      verified.push(asked);
      const token = asked.get("response") ?? "";
      if (token.startsWith("down")) response.destroy();
      else response.end(JSON.stringify(verdictOn(token, verified)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: {
      TURNSTILE_SITE_KEY: "site-key",
      TURNSTILE_SECRET_KEY: "secret-key",
      TURNSTILE_VERIFY_URL: `${url}/siteverify`,
      TURNSTILE_SCRIPT_URL: `${url}/widget.js`,
    },
    verified,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};
