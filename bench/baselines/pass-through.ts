/** What a Worker costs that does nothing: every request goes to the origin, every answer back. */
export default {
  fetch(request, env) {
    const url = new URL(request.url);
    const target = `${env.ORIGIN}${url.pathname}${url.search}`;
    return fetch(new Request(target, request), { redirect: "manual" });
  },
} satisfies ExportedHandler<{ readonly ORIGIN: string }>;
