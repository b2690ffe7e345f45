/**
 * The operators' API as an OpenAPI 3.1 document: calls from openapi-calls.ts, what they take and answer from
 * openapi-schemas.ts.
 */
import { MACHINES, MANAGEMENT, OWN, type Call } from "./openapi-calls.ts";
import { of, SCHEMAS, text } from "./openapi-schemas.ts";
import type { JsonSchema } from "./schema-parts.ts";

const json = (schema: JsonSchema) => ({ "application/json": { schema } });

const contentOf = (schema: JsonSchema, media: readonly string[] = ["application/json"]) =>
  Object.fromEntries(media.map((type) => [type, { schema }]));

const REFUSALS = {
  management: { description: "Refused", content: json(of("Envelope")) },
  own: {
    description: "Refused",
    content: { "application/problem+json": { schema: of("Problem") } },
  },
} as const;

const operationOf = (path: string, call: Call, refusals: keyof typeof REFUSALS): object => {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: text,
  }));
  const inQuery = Object.entries(call.query ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    schema,
  }));
  const parameters = [...inPath, ...inQuery];
  const answer = call.answers === null ? {} : { content: contentOf(call.answers, call.media) };
  return {
    summary: call.does,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(call.takes === undefined
      ? {}
      : { requestBody: { required: true, content: json(call.takes) } }),
    ...(call.isOpen === true ? { security: [] } : {}),
    responses: {
      [String(call.status ?? 200)]: { description: "Done", ...answer },
      default: REFUSALS[refusals],
    },
  };
};

const pathsOf = (): Readonly<Record<string, object>> => {
  const paths: Record<string, Record<string, object>> = {};
  const all = [
    { below: "/client/v4", calls: MANAGEMENT, refusals: "management" },
    { below: "/api", calls: OWN, refusals: "own" },
    { below: "", calls: MACHINES, refusals: "own" },
  ] as const;
  for (const { below, calls, refusals } of all)
    for (const [named, call] of Object.entries(calls)) {
      const [method = "", path = ""] = named.split(" ");
      const operations = (paths[below + path] ??= {});
      operations[method.toLowerCase()] = operationOf(path, call, refusals);
    }
  return paths;
};

const documentOf = (): object => ({
  openapi: "3.1.0",
  info: {
    title: "Seiriken: the operators' API",
    version: "4",
    summary: "Cloudflare's Waiting Room API, and what it lacks.",
  },
  servers: [{ url: "/.seiriken" }],
  security: [{ bearer: [] }, { key: [] }],
  paths: pathsOf(),
  components: {
    schemas: SCHEMAS,
    securitySchemes: {
      bearer: { type: "http", scheme: "bearer" },
      key: { type: "apiKey", in: "header", name: "X-Auth-Key" },
    },
  },
});

/** The text of openapi.gen.ts as it should be. */
export const buildOpenApi = (): string =>
  `/** Made by scripts/build-openapi.ts from the schemas: change those, then npm run docs. */\nexport const OPENAPI = ${JSON.stringify(
    JSON.stringify(documentOf()),
  )};\n`;
