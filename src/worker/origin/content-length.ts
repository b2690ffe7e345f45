/** As whoever sends it announced it, of the bytes as they come. */
export const lengthOf = (headers: Headers): number | null => {
  const length = headers.get("Content-Length");
  return length !== null && /^\d+$/.test(length) ? Number(length) : null;
};
