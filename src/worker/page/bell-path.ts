import { PREFIX } from "../../durable/contract.ts";

/** The worker's scope is its folder, in which there is no page: it stands beside the site's own ones. */
export const BELL_PATH = `${PREFIX}/bell/worker.js`;
