import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** Functions whose optimized code V8 has thrown away, as nothing was laid out any more as they know it. */
const lostBy = (which: "kept" | "forgotten" | "headers"): string[] => {
  const script = fileURLToPath(new URL("../support/short-lived.ts", import.meta.url));
  const flags = ["--expose-gc", "--trace-deopt"];
  const told = execFileSync(process.execPath, [...flags, script, which], { encoding: "utf8" });
  const lost = /<SharedFunctionInfo ?([^>]*)>.*embedded weak objects cleared/g;
  return [...told.matchAll(lost)].map(([, name]) => name ?? "");
};

test("[RUN-30] V8 keeps what it optimized for objects of which the last one is kept", () => {
  expect(lostBy("kept")).not.toContain("lookAgain");
  // If this fails, V8 has learnt to keep it by itself, and LastMade can go.
  expect(lostBy("forgotten")).toContain("lookAgain");
});

test("[RUN-30] so it does for headers as they were sent", () => {
  const lost = lostBy("headers");
  for (const name of ["SentHeaders", "readHeaders"]) expect(lost).not.toContain(name);
});
