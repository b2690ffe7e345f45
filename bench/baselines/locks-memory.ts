/**
 * What a Worker can answer at all of what clients ask the lock service: it reads the question and says
 * yes, without a lock, an object or a write.
 */
export default {
  async fetch(request: Request): Promise<Response> {
    if (request.method === "DELETE") return new Response(null, { status: 204 });
    const { lease_seconds: leaseSeconds } = (await request.json()) as { lease_seconds: number };
    const lease_until = new Date(Date.now() + leaseSeconds * 1_000).toISOString();
    const key = new URL(request.url).pathname;
    return Response.json({ key, owner: "nobodys-lock-at-all-00", lease_until }, { status: 201 });
  },
};
