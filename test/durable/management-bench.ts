/** The management API on a Registry of its own, with a room `shop`. */
import type { Envelope } from "../../src/api/envelope.ts";
import { managementApp } from "../../src/worker/operators/rooms-app.ts";
import type { LogLine } from "../../src/worker/platform/log.ts";
import {
  ADMIN_TOKEN,
  envOn,
  mounted,
  room,
  withRegistry,
  type RegistryBench,
} from "./registry-harness.ts";

export const ROOMS = "/zones/z/waiting_rooms";

export interface ManagementBench extends RegistryBench {
  call(method: string, path: string, body?: unknown, headers?: object): Promise<Answer>;
  readonly log: LogLine[];
}
export type Answer = Envelope & { readonly status: number; readonly headers: Headers };

export const withApi = (
  name: string,
  use: (bench: ManagementBench) => Promise<void>,
  more: object = {},
) =>
  withRegistry(name, async (bench) => {
    const log: LogLine[] = [];
    const env = { ...envOn(bench), ...more };
    const app = mounted(managementApp, (line) => void log.push(line));
    const call: ManagementBench["call"] = async (method, path, body, headers = {}) => {
      const text = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await app.request(
        path,
        { method, headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, ...headers }, ...text },
        env,
      );
      const answered = response.status === 304 ? "{}" : await response.text();
      const envelope = JSON.parse(answered) as Envelope;
      return { status: response.status, headers: response.headers, ...envelope };
    };
    await call("POST", ROOMS, room("shop"));
    await use({ ...bench, call, log });
  });
