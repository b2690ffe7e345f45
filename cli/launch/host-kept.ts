import type { RoomJson } from "../../src/api/rooms-file/file.ts";

/** The deployment's origin and those of rooms.json, once each: any room may want its host kept later. */
export const hostKeptOf = (origin: string, rooms: readonly RoomJson[]): readonly string[] => {
  const own = rooms.map(({ seiriken }) => (seiriken as { origin?: unknown } | null)?.origin);
  const urls = [origin, ...own].filter((url) => typeof url === "string");
  const servers = urls.filter((url) => /^https?:/i.test(url)).map((url) => new URL(url).origin);
  return [...new Set(servers)];
};

/** Where an origin listens. */
export const addressOf = (
  origin: string,
): { readonly address: string; readonly isTls: boolean; readonly hostname: string } => {
  const { protocol, hostname, port } = new URL(origin);
  const isTls = protocol === "https:";
  return { address: `${hostname}:${port || (isTls ? 443 : 80)}`, isTls, hostname };
};
