/**
 * `no-transform` keeps the edge from compressing a page, so the Worker tells the runtime to. The
 * edge rewrites `Accept-Encoding`: what the client accepts is in `cf`, where there is one.
 */
export const compression = (request: Request): { "Content-Encoding"?: string } => {
  const { cf } = request as { cf?: { clientAcceptEncoding?: unknown } };
  const accepted = cf?.clientAcceptEncoding ?? request.headers.get("Accept-Encoding");
  return typeof accepted === "string" && /\bgzip\b/.test(accepted)
    ? { "Content-Encoding": "gzip" }
    : {};
};
