/** The report's file: whether it can be written is found out before a sale is lived through. */
import { constants } from "node:fs";
import { access, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, Failure, usageFailure } from "../launch/failure.ts";

export const judgeReportFile = async (file: string, isForced: boolean): Promise<void> => {
  if (file === "-" || file.startsWith("--"))
    throw usageFailure(`--html ${file}: the name of a file`, ["--html sale.html"]);
  const there = await stat(file).catch(() => null);
  if (there?.isDirectory() === true)
    throw usageFailure(`${file} is a folder`, [`--html ${file.replace(/\/$/, "")}/sale.html`]);
  if (there !== null && !isForced) throw isThere(file);
  try {
    await access(there === null ? dirname(file) : file, constants.W_OK);
  } catch (error) {
    throw unwritable(file, error);
  }
};

export const writeReport = async (file: string, html: string, isForced: boolean): Promise<void> => {
  try {
    await writeFile(file, html, { flag: isForced ? "w" : "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw isThere(file);
    throw unwritable(file, error);
  }
};

const isThere = (file: string): Failure =>
  new Failure("file", `${file} is there already`, ["another name, or --force"], 2);

const unwritable = (file: string, error: unknown): Failure =>
  new Failure("file", `${file} can't be written`, [
    (error as NodeJS.ErrnoException).code === "ENOENT"
      ? `there is no folder ${dirname(file)}: make it, or give another`
      : describe(error),
  ]);
