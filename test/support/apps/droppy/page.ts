import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { eventually, PATIENCE_MS } from "../../eventually.ts";

export interface Upload {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

export interface Kept {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The next file that the browser keeps, and the name it would give it. */
export const keepDownload = async (page: Page): Promise<Kept> => {
  const download = await page.waitForEvent("download");
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
};

/** As long as a click may take to show; then it was lost. */
const SHOWS_WITHIN_MS = 10_000;

/**
 * What people do on droppy's pages, by the buttons that they would use.
 *
 * The page, also one without a room, loses a click whose list is drawn anew between the press and the
 * release, and goes back to the folder that it came from where the next takes more than two seconds to
 * come. So whoever opens something does it again where nothing came of it.
 */
export class DroppyPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** The log-in page has come; its button does not work before its script has. */
  async atLogIn(): Promise<void> {
    await this.page.locator("#submit").waitFor();
    await this.page.waitForLoadState("load");
  }

  async fillIn(user: string, password: string): Promise<void> {
    await this.page.fill("#user", user);
    await this.page.fill("#pass", password);
    await this.page.click("#submit");
  }

  /** The list of a folder has come, over the WebSocket, and is at rest: the last one has gone. */
  async atFolder(name: string, within: number = PATIENCE_MS): Promise<void> {
    await this.page.waitForFunction(
      (title) =>
        document.title === title &&
        document.querySelectorAll(".content").length === 1 &&
        document.querySelector(".content:not(.new) .file-header") !== null &&
        document.querySelector(".spinner.in") === null,
      `${name} - droppy`,
      { timeout: within },
    );
  }

  async makeFolder(name: string): Promise<void> {
    await this.#make(".cd", name);
  }

  async makeFile(name: string): Promise<void> {
    await this.#make(".cf", name);
  }

  /** From the list that it is in. */
  async openFolder(name: string): Promise<void> {
    const link = this.row(name).locator(".entry-link");
    await eventually(async () => {
      if (await link.isVisible()) await link.click({ timeout: 5_000 });
      await this.atFolder(name, SHOWS_WITHIN_MS);
    });
  }

  /** The row is there once the server has said so to this page. */
  row(name: string): Locator {
    return this.page.locator(`.data-row[data-name="${name.toLowerCase()}"]`);
  }

  /** Resolves when the page shows that the server has all of them, whole. */
  async upload(...files: readonly Upload[]): Promise<void> {
    await this.page.setInputFiles(".view .file", [...files]);
    for (const { name, buffer } of files)
      await this.row(name).locator(`.size[data-size="${buffer.length}"]`).waitFor();
  }

  async download(name: string): Promise<Kept> {
    const row = this.row(name);
    await row.hover();
    const [kept] = await Promise.all([
      keepDownload(this.page),
      row.locator("a.download, a.zip").click(),
    ]);
    return kept;
  }

  /** A link that anybody may follow. */
  async share(name: string): Promise<string> {
    const row = this.row(name);
    await row.hover();
    await row.locator(".share-file").click();
    const link = this.page.locator(".info-box.link.in .link-out");
    await link.waitFor();
    const url = (await link.textContent()) ?? "";
    await this.page.mouse.click(5, 5);
    await link.waitFor({ state: "hidden" });
    return url;
  }

  /** Opens a text file in the editor, writes, saves over the WebSocket, and goes back. */
  async write(name: string, text: string): Promise<void> {
    await this.#openText(name);
    await this.page.locator(".CodeMirror").click();
    await this.page.keyboard.type(text);
    await this.page.locator(".view .save").click();
    await this.page.locator(".path li.saved").waitFor();
    await this.#closeText();
  }

  /** What the editor shows of a text file. */
  async read(name: string): Promise<string> {
    await this.#openText(name);
    const lines = this.page.locator(".CodeMirror-line");
    const text = (await lines.allTextContents()).join("\n");
    await this.#closeText();
    return text;
  }

  async logOut(): Promise<void> {
    await this.page.click(".logout");
    await this.atLogIn();
  }

  async #openText(name: string): Promise<void> {
    const link = this.row(name).locator(".entry-link");
    const line = this.page.locator(".CodeMirror-line").first();
    await eventually(async () => {
      if (await link.isVisible()) await link.click({ timeout: 5_000 });
      await line.waitFor({ timeout: SHOWS_WITHIN_MS });
    });
  }

  /** Back to the list at the root, the only one with texts in it. */
  async #closeText(): Promise<void> {
    await this.page.locator(".view .exit").click();
    await this.atFolder("/");
  }

  /**
   * News of the folder draws its list anew, without the line that is being filled in, and now and then as
   * it is sent: then the page, also one without a room, has made nothing and says nothing.
   */
  async #make(button: string, name: string): Promise<void> {
    const input = this.page.locator(".inline-namer");
    const row = this.row(name);
    await eventually(async () => {
      if (await row.isVisible()) return;
      if (!(await input.isVisible())) await this.page.click(button);
      await input.fill(name, { timeout: 1_000 });
      await input.press("Enter", { timeout: 1_000 });
      await row.waitFor({ timeout: 5_000 });
    });
  }
}
