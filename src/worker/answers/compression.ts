/**
 * `no-transform` keeps the edge from compressing a page, so the runtime is told to. The header is the
 * edge's own; what the client accepts stands in `cf`, where there is one.
 */
export const compression = (request: Request): { "Content-Encoding"?: string } => {
  const { cf } = request as { cf?: { clientAcceptEncoding?: unknown } };
  const accepted = cf?.clientAcceptEncoding ?? request.headers.get("Accept-Encoding");
  return typeof accepted === "string" && /\bgzip\b/.test(accepted)
    ? { "Content-Encoding": "gzip" }
    : {};
};
