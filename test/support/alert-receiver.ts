import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook as Verifier } from "standardwebhooks";

/** What a receiver does with what comes: answers so, or hangs up, or never says anything. */
type Manner = number | "hangs-up" | "says-nothing";

export interface ReceivedAlert {
  readonly at: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A receiver of webhooks on this machine. */
export interface AlertReceiver {
  readonly url: string;
  readonly received: ReceivedAlert[];
  manner: Manner;
  /** By the published library, which throws where it does not hold. */
  verify(received: ReceivedAlert | undefined, secret: string): { readonly type: string };
  close(): Promise<void>;
}

export const alertReceiver = async (): Promise<AlertReceiver> => {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const headers = request.headers as Record<string, string>;
      receiver.received.push({ at: Date.now(), headers, body });
      const { manner } = receiver;
      if (manner === "hangs-up") request.socket.destroy();
      else if (manner !== "says-nothing") response.writeHead(manner).end("received");
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const receiver: AlertReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alerts`,
    received: [],
    manner: 200,
    verify(received, secret) {
      if (received === undefined) throw new Error("nothing was received");
      return new Verifier(secret).verify(received.body, received.headers) as { type: string };
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  return receiver;
};
