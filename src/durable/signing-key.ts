import type { SigningKey } from "./contract.ts";

/** 32 random bytes, and a name of 12 hex digits that says nothing about them. */
export const newSigningKey = (): SigningKey => {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const secret = btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
  const kid = [...crypto.getRandomValues(new Uint8Array(6))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  return { kid, secret };
};
