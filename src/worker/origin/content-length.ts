/** The length of a body as its sender announced it, in bytes as they are sent; null without one. */
export const lengthOf = (headers: Headers): number | null => {
  const length = headers.get("Content-Length");
  return length !== null && /^\d+$/.test(length) ? Number(length) : null;
};
