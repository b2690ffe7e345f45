import { expect, test } from "vitest";
import { World } from "./world.ts";

test("twenty visitors, two permits", () => {
  const w = new World();
  const replies = w.batch(
    Array.from({ length: 20 }, () => ({ op: "join", address: null }) as const),
  );
  expect(replies.map((r) => (r.kind === "place" ? r.place.state : r.kind)).slice(0, 3)).toEqual([
    "called",
    "called",
    "waiting",
  ]);
  expect(w.claim(1)).toMatchObject({ kind: "visit", isNew: true });
  expect(w.claim(2)).toMatchObject({ kind: "visit", isNew: true });
  expect(w.claim(3)).toMatchObject({ kind: "not-yet", place: { state: "waiting", ahead: 0 } });
  w.now += 150;
  w.end(2);
  expect([...w.last!.calls.values()].flat()).toMatchObject([{ number: 3 }]);
  w.crash();
  expect(w.claim(3)).toMatchObject({ kind: "visit", isNew: true });
  for (let n = 3; n <= 20; n += 1) {
    w.now += 10;
    w.claim(n);
    w.claim(n);
    w.end(n);
  }
  expect(w.state.history.current).toMatchObject({ issued: 20 });
});
