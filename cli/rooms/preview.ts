/** `npm run rooms -- preview FILE`: a link that shows a page of one's own. */
import { readFileSync } from "node:fs";
import type { ManagementClient } from "../api-client.ts";
import { say } from "../command.ts";
import { describe, Failure } from "../launch/failure.ts";

export const previewPage = async (client: ManagementClient, file: string): Promise<void> => {
  say(await client.previewPage(readPage(file)));
  say(
    "for an hour; ?state=called (taking, away, paused, closed) or ?waitTime=50 shows it otherwise",
  );
};

/** `-` is the standard input. */
const readPage = (file: string): string => {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (thrown) {
    throw new Failure("page-file", `${file} can't be read: ${describe(thrown)}`);
  }
};
