const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/**
 * For a frame in a page of another site, whose requests bring no cookies of the visitor's back and
 * so can keep no place: a way out of the frame. Any page may frame it, as all that it does is to
 * open another.
 */
export const framedPage = (to: string, status: number): Response => {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>There is a line for this page</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:10vh auto;padding:0 1rem}</style>
</head><body><h1>There is a line for this page</h1>
<p>Inside another site your browser cannot keep your place in it.</p>
<p><a href="${attributeOf(to)}" target="_blank" rel="noopener">Open the page on its own</a></p>
</body></html>
`;
  return new Response(html, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": POLICY,
      "X-Robots-Tag": "noindex",
    },
  });
};

const attributeOf = (text: string): string =>
  text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
