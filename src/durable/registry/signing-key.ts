import { hex } from "../../core/hex.ts";
import type { SigningKey } from "../contract.ts";

/** 32 random bytes, and a name of 12 hex digits that says nothing about them. */
export const newSigningKey = (): SigningKey => {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const secret = btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
  return { kid: hex(crypto.getRandomValues(new Uint8Array(6))), secret };
};
