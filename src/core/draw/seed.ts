import { sha256 } from "@noble/hashes/sha2.js";
import { hex } from "../hex.ts";
import { invariant } from "../invariant.ts";

export const SECRET_BYTES = 32;

/** What is published when an event is made: it binds to the secret and tells nothing of it. */
export const commitmentOf = (secret: Uint8Array): string => {
  invariant(secret.length === SECRET_BYTES, "a secret has 32 bytes");
  return hex(sha256(secret));
};

/** SHA-256 of the secret, followed by the 32 bytes that stand for the public value. */
export const seedOf = (secret: Uint8Array, publicBytes: Uint8Array): Uint8Array => {
  invariant(secret.length === SECRET_BYTES, "a secret has 32 bytes");
  invariant(publicBytes.length === 32, "a public value counts with 32 bytes");
  const both = new Uint8Array(SECRET_BYTES + publicBytes.length);
  both.set(secret);
  both.set(publicBytes, SECRET_BYTES);
  return sha256(both);
};

/** For a drand round: its signature's hash is what drand calls the round's randomness. */
export const bytesOfSignature = (signature: Uint8Array): Uint8Array => sha256(signature);

/** For a text that was entered: the hash of its UTF-8, exactly as it was entered. */
export const bytesOfText = (text: string): Uint8Array => sha256(new TextEncoder().encode(text));
