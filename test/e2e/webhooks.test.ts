import { afterAll, beforeAll, expect, test } from "vitest";
import { alertReceiver, type AlertReceiver } from "../support/alert-receiver.ts";
import { Command } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";
import { startSeiriken, type Seiriken } from "../support/seiriken.ts";

let seiriken: Seiriken;
let receiver: AlertReceiver;

beforeAll(async () => {
  [seiriken, receiver] = await Promise.all([startSeiriken(), alertReceiver()]);
});

afterAll(async () => {
  await receiver.close();
  await seiriken.stop();
});

const command = async (...args: string[]): Promise<{ code: number | null; said: string }> => {
  const env = { ADMIN_TOKEN: seiriken.adminToken, SEIRIKEN_SERVER: seiriken.url };
  const run = new Command("cli/webhooks.ts", args, env);
  const code = await run.ended();
  return { code, said: [...run.lines, run.stderr].join("\n") };
};

const secretIn = (said: string): string => /whsec_\S+/.exec(said)?.[0] ?? "";

const inMinutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();

test("[WEBHOOK-3] [WEBHOOK-4] [WEBHOOK-5] [WEBHOOK-9] [WEBHOOK-13] a receiver that is slow, down, fails and then works gets each alert, over kill -9", async () => {
  const made = await command("create", "duty", receiver.url, "--types", "event.running");
  const secret = secretIn(made.said);
  expect([made.code, secret.length]).toEqual([0, 50]);
  const room = { name: "sale", host: "127.0.0.1", path: "/sale", total_active_users: 5 };
  await seiriken.manage("POST", "/waiting_rooms", { ...room, new_users_per_minute: 60 });

  receiver.manner = "says-nothing";
  const event = { event_start_time: inMinutes(-1), event_end_time: inMinutes(9) };
  await seiriken.manage("POST", "/waiting_rooms/sale/events", { name: "doors", ...event });
  await eventually(() => receiver.received.length === 1);
  receiver.manner = "hangs-up";
  await seiriken.kill9();
  await eventually(() => receiver.received.length === 2);
  receiver.manner = 500;
  await eventually(() => receiver.received.length === 3);
  receiver.manner = 204;
  await eventually(() => receiver.received.length === 4);

  const [first, second, third, fourth] = receiver.received;
  expect(receiver.verify(fourth, secret)).toMatchObject({
    type: "event.running",
    data: { room: { name: "sale" }, event: "doors" },
  });
  for (const earlier of [first, second, third]) {
    expect([earlier?.headers["webhook-id"], earlier?.body]).toEqual([
      fourth?.headers["webhook-id"],
      fourth?.body,
    ]);
  }
  expect((third?.at ?? 0) - (second?.at ?? 0)).toBeGreaterThan(3_000);
  await eventually(async () => (await command("deliveries", "duty")).said.includes("delivered, 3"));
  expect(receiver.received).toHaveLength(4);
});

test("[WEBHOOK-2] [WEBHOOK-12] [WEBHOOK-13] a replaced secret signs beside the new one; a test says what the receiver said", async () => {
  const before = receiver.received.length;
  const quiet = ["--types", "line.began"];
  const made = secretIn((await command("create", "spare", receiver.url, ...quiet)).said);
  const next = secretIn((await command("rotate", "spare")).said);
  receiver.manner = 202;
  const tried = await command("test", "spare");
  expect([tried.code, /^spare answered 202 in \d+ ms/.test(tried.said)]).toEqual([0, true]);
  // It hears of what operators do as well, of its own making among them.
  const received = receiver.received
    .slice(before)
    .find(({ body }) => body.includes('"webhook.test"'));
  for (const secret of [made, next])
    expect(receiver.verify(received, secret)).toMatchObject({ type: "webhook.test" });
  receiver.manner = 302;
  const refused = await command("test", "spare");
  expect([refused.code, refused.said.includes("answered 302")]).toEqual([1, true]);
  const off = await command("off", "spare");
  expect(off.said).toContain("  off · line.began  ");
  expect((await command("delete", "spare")).code).toBe(0);
  expect((await command("test", "spare")).said).toContain("there is no webhook spare");
  expect((await command("list")).said).not.toContain("spare");
});
