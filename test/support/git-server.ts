import { spawn } from "node:child_process";
import type { OriginHandler } from "./origin.ts";

/** No configuration of this machine's: neither credentials, nor proxies, nor templates. */
export const GIT_ENV = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
};

/** The repositories of a folder over git's own HTTP backend (a CGI program), below `prefix`. */
export const gitServer =
  (prefix: string, folder: string): OriginHandler =>
  ({ method, url, headers }, response, request) =>
    new Promise((resolve, reject) => {
      const { pathname, search } = new URL(url, "http://git");
      const backend = spawn("git", ["http-backend"], {
        env: {
          ...GIT_ENV,
          GIT_PROJECT_ROOT: folder,
          GIT_HTTP_EXPORT_ALL: "1",
          PATH_INFO: pathname.slice(prefix.length),
          QUERY_STRING: search.slice(1),
          REQUEST_METHOD: method,
          REMOTE_USER: "somebody",
          CONTENT_TYPE: headers["content-type"] ?? "",
          HTTP_CONTENT_ENCODING: headers["content-encoding"] ?? "",
          GIT_PROTOCOL: String(headers["git-protocol"] ?? ""),
        },
        stdio: ["pipe", "pipe", "ignore"],
      });
      request.pipe(backend.stdin);
      backend.stdin.on("error", () => undefined);
      backend.on("error", reject);
      const chunks: Buffer[] = [];
      backend.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
      backend.on("close", () => {
        const answer = Buffer.concat(chunks);
        const end = answer.indexOf("\r\n\r\n");
        for (const line of answer.subarray(0, Math.max(0, end)).toString().split("\r\n")) {
          const [name = "", value = ""] = line.split(/: ?(.*)/s);
          if (name.toLowerCase() === "status") response.statusCode = Number.parseInt(value, 10);
          else if (name !== "") response.setHeader(name, value);
        }
        response.end(answer.subarray(end + 4));
        resolve();
      });
    });
