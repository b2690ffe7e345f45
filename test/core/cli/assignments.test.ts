import { expect, test } from "vitest";
import { Failure } from "../../../cli/launch/failure.ts";
import { patchOf } from "../../../cli/rooms/assignments.ts";
import { settingSchemas } from "../../../src/api/setting-schemas.ts";

test.each([
  [
    ["total_active_users=50", "new_users_per_minute=100"],
    { total_active_users: 50, new_users_per_minute: 100 },
  ],
  [["session_duration=0.5"], { session_duration: 0.5 }],
  [["description=2026"], { description: "2026" }],
  [["description="], { description: "" }],
  [["name=42"], { name: "42" }],
  [["queue_all=true", "seiriken.strict=false"], { queue_all: true, seiriken: { strict: false } }],
  [["seiriken.message=Doors at ten, = sharp"], { seiriken: { message: "Doors at ten, = sharp" } }],
  [["seiriken.message=null"], { seiriken: { message: null } }],
  [['description="null"'], { description: "null" }],
  [["seiriken.max_visit_seconds=null"], { seiriken: { max_visit_seconds: null } }],
  [
    ["seiriken.cors_origins=https://a.example, https://b.example"],
    { seiriken: { cors_origins: ["https://a.example", "https://b.example"] } },
  ],
  [
    ["seiriken.cors_origins=https://a.example"],
    { seiriken: { cors_origins: ["https://a.example"] } },
  ],
  [["seiriken.cors_origins=[]"], { seiriken: { cors_origins: [] } }],
  [['additional_routes=[{"path":"/b"}]'], { additional_routes: [{ path: "/b" }] }],
  [["seiriken.appearance.accent=#ff0000"], { seiriken: { appearance: { accent: "#ff0000" } } }],
  [
    ["seiriken.client_key.from=header", "seiriken.client_key.name=X-Key"],
    { seiriken: { client_key: { from: "header", name: "X-Key" } } },
  ],
  [["seiriken.trusted_proxies=2"], { seiriken: { trusted_proxies: 2 } }],
  [["queueing_status_code=200"], { queueing_status_code: 200 }],
])("[SETTING-1] %j", (words, patch) => {
  expect(patchOf(words)).toEqual(patch);
});

const problemsOf = (...words: string[]): readonly string[] => {
  try {
    patchOf(words);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.exitCode === 2) return thrown.details;
    throw thrown;
  }
  throw new Error("did not fail");
};

test("[SETTING-2] every bad assignment is told at once, with the names that were meant", () => {
  expect(
    problemsOf(
      "total_active_user=5",
      "starts_per_second=4",
      "queue_all=yes",
      "host=null",
      "id=3",
      "__proto__=1",
      "nonsense",
      "total_active_users=0",
      "seiriken.strict=true",
      "seiriken.strict=false",
      'seiriken={"ring":"sliding"}',
    ),
  ).toEqual([
    "total_active_user is no setting; did you mean total_active_users?",
    "starts_per_second is no setting; did you mean seiriken.starts_per_second?",
    "queue_all must be true or false",
    "host can't be taken away",
    "id can't be set; the deployment keeps it",
    '"__proto__" is no setting',
    '"nonsense" sets nothing; write NAME=VALUE',
    "total_active_users must be a whole number from 1 to 2147483647",
    "seiriken.strict is given twice",
    "seiriken and seiriken.strict overlap",
  ]);
});

test("[CLI-11] a word that may be a token is not repeated", () => {
  const [problem] = problemsOf("sTZ9vX3kQ7pL2mN8wR4t=1");
  expect(problem).not.toContain("sTZ9");
});

test("[SETTING-1] each field of the schema has its name, lists and read-only fields have none inside", () => {
  const names = [...settingSchemas().keys()];
  expect(names).toEqual(
    expect.arrayContaining(["name", "cookie_attributes.samesite", "seiriken.appearance.logo"]),
  );
  expect(names.filter((name) => /^(id|.*_on)$/.test(name))).toEqual([]);
  expect(names.filter((name) => /exempt\.|routes\./.test(name))).toEqual([]);
});
