import { REFERENCE_ALPHABET, REFERENCE_LENGTH } from "../../core/reference.ts";
import type { Ports } from "./ports.ts";

/** For a request whose visitor nobody knows. */
export const randomReference = (ports: Ports): string => {
  let text = "";
  for (const byte of ports.randomBytes(REFERENCE_LENGTH))
    text += REFERENCE_ALPHABET[byte % REFERENCE_ALPHABET.length] ?? "";
  return text;
};
