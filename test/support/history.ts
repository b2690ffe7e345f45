import { ask } from "./http.ts";
import type { Seiriken } from "./seiriken.ts";

/** What a room counted in the last minutes, the running one included, by the API's names. */
export const tallies = async (
  { url, adminToken }: Seiriken,
  room = "shop",
): Promise<Record<string, number>> => {
  const answer = await ask(`${url}/.seiriken/api/rooms/${room}/history?minutes=5`, {
    headers: { authorization: `Bearer ${adminToken}` },
  });
  if (answer.status !== 200) throw new Error(`no history but ${answer.status} ${answer.text}`);
  const sums: Record<string, number> = {};
  for (const { minute: _, ...row } of answer.json().minutes as Record<string, number>[])
    for (const [name, count] of Object.entries(row)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
};
