import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { eventually } from "../../eventually.ts";
import type { RealApp } from "../../real-app.ts";
import { listen } from "../traffic.ts";
import type { Traffic } from "../traffic.ts";
import { DroppyPage, keepDownload } from "./page.ts";
import type { Upload } from "./page.ts";

/** Where the application is met: straight, or through a room for two. */
export interface Site {
  readonly url: string;
  /** Hanako and Taro are in, and Jiro has asked for the first page. */
  jiroHasCome(page: Page): Promise<void>;
  /** Hanako has logged out, and Jiro is at the application's first page. */
  jiroIsIn(hanako: Page): Promise<void>;
}

/** What three people see and their browsers send, told without hosts and secrets. */
export interface Observed {
  readonly saw: Readonly<Record<string, unknown>>;
  readonly exchanges: Readonly<Record<string, readonly string[]>>;
  readonly messages: Readonly<Record<string, readonly string[]>>;
  readonly failures: readonly string[];
}

/** droppy allows an address one attempt in so long. */
const LOG_IN_EVERY_MS = 2_100;
const UPLOAD_BYTES = 5_000_000;

/** No two of its blocks are the same, and it is the same in each run. */
const bytes = (length: number): Buffer => {
  const blocks: Buffer[] = [];
  for (let index = 0; index * 32 < length; index += 1)
    blocks.push(createHash("sha256").update(String(index)).digest());
  return Buffer.concat(blocks).subarray(0, length);
};

export const TAPE: Upload = {
  name: "tape.bin",
  mimeType: "application/octet-stream",
  buffer: bytes(UPLOAD_BYTES),
};
const PIXEL: Upload = {
  name: "整理券 №1.png",
  mimeType: "image/png",
  buffer: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
};

interface Person extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly app: DroppyPage;
  readonly traffic: Traffic;
}

type Saw = Record<string, unknown>;

/** Log-in, files, live collaboration and log-out, by three people in browsers of their own. */
export const useDroppy = async (browser: Browser, site: Site, app: RealApp): Promise<Observed> => {
  await using hanako = await person(browser);
  await using taro = await person(browser);
  await using jiro = await person(browser);
  const saw: Saw = {};
  await logIn(hanako, site, app, saw);
  await keepFiles(hanako, saw);
  await workTogether(hanako, taro, site, app, saw);
  await leave(hanako, taro, jiro, site, saw);
  const people = { hanako, taro, jiro };
  const entries = Object.entries(people);
  return {
    saw,
    exchanges: Object.fromEntries(
      await Promise.all(
        entries.map(async ([name, { traffic }]) => [name, await traffic.exchanges()] as const),
      ),
    ),
    messages: Object.fromEntries(entries.map(([name, { traffic }]) => [name, traffic.messages()])),
    failures: entries.flatMap(([, { traffic }]) => traffic.failures),
  };
};

export const person = async (browser: Browser): Promise<Person> => {
  const context = await browser.newContext({ locale: "en-GB" });
  const traffic = listen(context);
  const app = new DroppyPage(await context.newPage());
  app.page.setDefaultTimeout(20_000);
  return { context, app, traffic, [Symbol.asyncDispose]: () => context.close() };
};

const logIn = async (hanako: Person, site: Site, app: RealApp, saw: Saw): Promise<void> => {
  const { page } = hanako.app;
  await page.goto(`${site.url}/`);
  await hanako.app.atLogIn();
  await hanako.app.fillIn(app.user, "not-the-password");
  await page.locator("#login-info-box.error").waitFor();
  saw["a wrong password"] = await page.locator("#login-info-box").textContent();
  await sleep(LOG_IN_EVERY_MS);
  await hanako.app.fillIn(app.user, app.password);
  await hanako.app.atFolder("/");
  saw["the application's cookies"] = await cookiesOf(hanako, site);
  await page.reload();
  await hanako.app.atFolder("/");
  await page.goto(`${site.url}/no/such/page?really=1`);
  await hanako.app.atFolder("/");
  saw["an unknown page leads to"] = page.url().replace(site.url, "");
  saw["the manifest starts at"] = await page.evaluate(async () => {
    const manifest = await (await fetch("/!/res/manifest.json")).json();
    return new URL(manifest.start_url).origin === location.origin;
  });
};

const cookiesOf = async ({ context }: Person, site: Site) => {
  const cookies = await context.cookies(site.url);
  return cookies
    .filter(({ name }) => !name.includes("seiriken-"))
    .map(({ name, domain, path, httpOnly, sameSite, secure }) => ({
      name,
      domain,
      path,
      httpOnly,
      sameSite,
      secure,
    }));
};

const keepFiles = async ({ app }: Person, saw: Saw): Promise<void> => {
  await app.makeFolder("album");
  await app.openFolder("album");
  await app.upload(TAPE, PIXEL);
  for (const file of [TAPE, PIXEL]) {
    const download = await app.download(file.name);
    saw[`${file.name} comes back as`] = [download.name, download.bytes.equals(file.buffer)];
  }
  saw["a part of a file"] = await app.page.evaluate(async () => {
    const answer = await fetch("/!/file/album/tape.bin", { headers: { range: "bytes=1000-1063" } });
    const part = [...new Uint8Array(await answer.arrayBuffer())];
    return { status: answer.status, part, length: answer.headers.get("content-length") };
  });
  await app.page.goBack();
  await app.atFolder("/");
  const zip = await app.download("album");
  saw["the folder as a zip"] = {
    name: zip.name,
    magic: zip.bytes.subarray(0, 4).toString("latin1"),
    holds: [TAPE, PIXEL].map(({ name }) => zip.bytes.includes(`album/${name}`)),
    length: zip.bytes.length,
  };
};

/** What one does shows on the other's page at once, by way of two WebSockets. */
const workTogether = async (
  hanako: Person,
  taro: Person,
  site: Site,
  app: RealApp,
  saw: Saw,
): Promise<void> => {
  await taro.app.page.goto(`${site.url}/`);
  await taro.app.atLogIn();
  await taro.app.fillIn(app.user, app.password);
  await taro.app.atFolder("/");
  await taro.app.makeFile("letter.txt");
  await hanako.app.row("letter.txt").waitFor();
  await hanako.app.write("letter.txt", "The doors open at 18:30.");
  saw["the letter that Taro reads"] = await taro.app.read("letter.txt");
  await taro.app.write("letter.txt", "P.S. 整理券をお持ちください。 ");
  saw["the letter that Hanako reads"] = await hanako.app.read("letter.txt");
  saw["the manifest, asked for without cookies"] = await manifestOf(taro);
  saw["a message with a false token closes the socket with"] = await closedBy(taro.app.page, {
    says: '{"type":"HELLO"}',
  });
};

/** Browsers fetch a manifest by themselves, and without cookies. */
const manifestOf = async ({ context, app }: Person): Promise<unknown> => {
  const session = await context.newCDPSession(app.page);
  const { data, errors } = await session.send("Page.getAppManifest");
  return { isThere: data !== undefined && data.includes('"droppy"'), errors };
};

interface SocketEnd {
  readonly says?: string;
  readonly closesWith?: number;
}

/** Opens a socket to droppy beside the page's own, and gives back the code of its end. */
const closedBy = (page: Page, end: SocketEnd): Promise<number> =>
  page.evaluate(
    ({ says, closesWith }) =>
      new Promise<number>((resolve) => {
        const socket = new WebSocket(`${location.origin.replace("http", "ws")}/!/socket`);
        socket.addEventListener("close", ({ code }) => resolve(code));
        socket.addEventListener("open", () => {
          if (says !== undefined) socket.send(says);
          if (closesWith !== undefined) socket.close(closesWith);
        });
      }),
    end,
  );

const leave = async (
  hanako: Person,
  taro: Person,
  jiro: Person,
  site: Site,
  saw: Saw,
): Promise<void> => {
  await hanako.app.openFolder("album");
  const link = await hanako.app.share(TAPE.name);
  saw["a shared link is of this host"] = link.startsWith(`${site.url}/$/`);
  await jiro.app.page.goto(`${site.url}/`);
  await site.jiroHasCome(jiro.app.page);
  await hanako.app.logOut();
  saw["Hanako's cookies after the log-out"] = await cookiesOf(hanako, site);
  saw["Hanako asks for a token"] = await statusOf(hanako.app.page, "/!/token");
  await jiro.app.atLogIn();
  await site.jiroIsIn(hanako.app.page);
  saw["the shared link without a log-in"] = await follow(jiro.app.page, link);
  saw["the code by which droppy is told of a log-out"] = await closedBy(taro.app.page, {
    closesWith: 4001,
  });
  saw["Taro asks for a token"] = await eventually(async () => {
    const status = await statusOf(taro.app.page, "/!/token");
    return status === 401 && status;
  });
};

const statusOf = (page: Page, path: string): Promise<number> =>
  page.evaluate(async (url) => (await fetch(url, { headers: { "x-app": "droppy" } })).status, path);

/** A link that turns out to be a file: the page stays where it is. */
const follow = async (page: Page, link: string): Promise<unknown> => {
  const [kept] = await Promise.all([
    keepDownload(page),
    page.goto(link).catch((error: Error) => {
      if (!/Download is starting|ERR_ABORTED/.test(error.message)) throw error;
    }),
  ]);
  return [kept.name, kept.bytes.equals(TAPE.buffer)];
};
