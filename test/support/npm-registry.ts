import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { OriginHandler } from "./origin.ts";

const BLOCK = 512;

/** One file of a tar archive (POSIX.1-1988, ustar). */
const tarEntry = (name: string, text: string): Buffer => {
  const body = Buffer.from(text);
  const head = Buffer.alloc(BLOCK);
  const octal = (value: number, width: number) => value.toString(8).padStart(width - 1, "0");
  head.write(name, 0);
  head.write(octal(0o644, 8), 100);
  head.write(octal(0, 8), 108);
  head.write(octal(0, 8), 116);
  head.write(octal(body.length, 12), 124);
  head.write(octal(0, 12), 136);
  // The sum is taken with blanks in its own place.
  head.write(" ".repeat(8), 148);
  head.write("0", 156);
  head.write("ustar\u000000", 257);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${octal(sum, 7)}\u0000 `, 148);
  const padding = Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK);
  return Buffer.concat([head, body, padding]);
};

interface Pack {
  readonly manifest: object;
  readonly tarball: Buffer;
}

const packOf = (name: string, dependencies: Record<string, string>): Pack => {
  const manifest = { name, version: "1.0.0", main: "index.js", dependencies };
  const files = [
    tarEntry("package/package.json", JSON.stringify(manifest)),
    tarEntry("package/index.js", `module.exports = ${JSON.stringify(name)};\n`),
    Buffer.alloc(2 * BLOCK),
  ];
  return { manifest, tarball: gzipSync(Buffer.concat(files)) };
};

/**
 * An npm registry below `prefix` with packages `p-0` to `p-{count - 1}`, the first of which needs
 * all others. As stock registries do it names its tarballs by the host that it was asked under.
 */
export const npmRegistry = (prefix: string, count: number, answerMs: number): OriginHandler => {
  const names = Array.from({ length: count }, (_, index) => `p-${index}`);
  const others = Object.fromEntries(names.slice(1).map((name) => [name, "1.0.0"]));
  const packs = new Map(names.map((name, at) => [name, packOf(name, at === 0 ? others : {})]));
  return async ({ url, headers }, response) => {
    await sleep(answerMs);
    const [name = "", isTarball] = url.slice(prefix.length + 1).split("/");
    const pack = packs.get(name);
    if (pack === undefined) {
      response.writeHead(404).end("{}");
      return;
    }
    if (isTarball === "-") {
      response.end(pack.tarball);
      return;
    }
    const integrity = `sha512-${createHash("sha512").update(pack.tarball).digest("base64")}`;
    const tarball = `http://${headers.host ?? ""}${prefix}/${name}/-/${name}-1.0.0.tgz`;
    const version = { ...pack.manifest, dist: { tarball, integrity } };
    const packument = { name, "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(packument));
  };
};
