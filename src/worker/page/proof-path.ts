import { PREFIX } from "../../durable/contract.ts";

/** What pages load whose room asks something of strangers: the same for all of them. */
export const PROOF_PATH = `${PREFIX}/proof/script.js`;
