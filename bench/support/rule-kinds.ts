/** Expressions as operators write them; the number keeps them apart. */
export const RULE_KINDS: readonly ((n: number) => string)[] = [
  (n) => `http.request.method eq "POST" and starts_with(http.request.uri.path, "/webhooks/${n}/")`,
  (n) => `ip.src in {192.0.2.${n % 256} 203.0.113.0/24 2001:db8:${n}::/48}`,
  (n) => `http.request.headers["x-monitor-key"][0] eq "secret-${n}"`,
  (n) => `http.user_agent contains "Probe-${n}" and http.request.uri.path eq "/health"`,
  (n) => `http.request.cookies["staff"][0] eq "somebody-${n}" or http.host eq "staff${n}.example"`,
];
