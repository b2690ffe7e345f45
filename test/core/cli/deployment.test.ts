import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { callDeployment } from "../../../cli/deployment.ts";

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close().closeAllConnections()));

/** Closes the connections of its first so many calls without a word. */
const closing = async (times: number) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method}`);
    if (asked.length <= times) request.socket.destroy();
    else response.end('{"success":true}');
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const deployment = { server: `http://127.0.0.1:${port}`, token: "a-token-for-tests" };
  const call = (method: string) => callDeployment(deployment, { method, path: "/" });
  return { asked, call };
};

test("[CLI-22] a read is asked once more, and no more", async () => {
  const { asked, call } = await closing(1);
  expect(await call("GET")).toMatchObject({ status: 200, isOk: true });
  expect(asked).toEqual(["GET", "GET"]);
  const down = await closing(9);
  await expect(down.call("GET")).rejects.toMatchObject({ code: "unreachable" });
  expect(down.asked).toHaveLength(2);
});

test.each(["POST", "PUT", "PATCH", "DELETE"])(
  "[CLI-22] %s may have been done, and is not asked again",
  async (method) => {
    const { asked, call } = await closing(1);
    await expect(call(method)).rejects.toMatchObject({ code: "unreachable" });
    expect(asked).toEqual([method]);
  },
);
