import type { Env } from "./env.ts";

type Binding = "ROOM" | "LOBBY" | "REGISTRY" | "LOCKS";

interface VariableWords {
  /** `secret`: `wrangler secret put`. `launcher`: set by start and serve, not by people. */
  readonly kind: "secret" | "variable" | "launcher";
  readonly takes: string;
  readonly does: string;
}

/** What each variable of a deployment does; docs/settings.md is made of it. */
export const VARIABLES: Readonly<Record<Exclude<keyof Env, Binding>, VariableWords>> = {
  ADMIN_TOKEN: {
    kind: "secret",
    takes: "16 or more printable characters",
    does: "Turns the management API on. start and serve take a random one where none is given.",
  },
  ACCESS_TEAM_URL: {
    kind: "variable",
    takes: "`https://TEAM.cloudflareaccess.com`",
    does: "With ACCESS_AUDIENCE: whom Cloudflare Access lets through to `/.seiriken` is signed in to the management, by e-mail. ADMIN_TOKEN is needed all the same.",
  },
  ACCESS_AUDIENCE: {
    kind: "variable",
    takes: "audience tags of Access applications, with commas between",
    does: "Which of Access's applications are ours.",
  },
  ACCESS_SCOPE: {
    kind: "variable",
    takes: "`read`, `operate` or `admin`",
    does: "What those may do who sign in through Access. Without it: `read`.",
  },
  ACCESS_CERTS_URL: {
    kind: "variable",
    takes: "a URL",
    does: "Where Access's keys are, in place of the team's `/cdn-cgi/access/certs`.",
  },
  LOCK_TOKEN: {
    kind: "secret",
    takes: "16 or more printable characters",
    does: "Turns the lock service on.",
  },
  SIGNING_KEYS: {
    kind: "secret",
    takes: "`kid:secret` pairs with commas between, secrets of at least 16 bytes",
    does: "Signs the tokens, in place of the keys that the Registry makes and keeps. The first signs, all verify.",
  },
  ORIGIN_SECRET: {
    kind: "secret",
    takes: "`kid:secret`, or a secret alone (kid `1`)",
    does: "Signs what the origin is told (`Seiriken-Signature`).",
  },
  ORIGIN: {
    kind: "variable",
    takes: "a URL without a path, or `service:NAME` for a binding",
    does: "Where the site is. Without it: the zone's own servers, by route. start and serve take `--origin`.",
  },
  PASS_HOSTS: {
    kind: "variable",
    takes: "hosts with commas between",
    does: "With a URL as origin: hosts besides those of rooms that are forwarded. Others get 421.",
  },
  TRUSTED_PROXIES: {
    kind: "variable",
    takes: "a number from 0 to 32, or at most 64 networks with commas between",
    does: "Proxies of your own before this, whose `X-Forwarded-For` names the client.",
  },
  DRAND_CHAIN: {
    kind: "variable",
    takes: "what a drand relay answers to `/info` of a chain, as JSON",
    does: "The chain whose rounds draws are promised by. Without it: quicknet.",
  },
  TURNSTILE_SITE_KEY: {
    kind: "variable",
    takes: "the site key of a Turnstile widget",
    does: "With the secret key too, `turnstile_mode` of rooms has an effect.",
  },
  TURNSTILE_SECRET_KEY: {
    kind: "secret",
    takes: "the secret key of the same widget",
    does: "Verifies what visitors bring from it.",
  },
  TURNSTILE_VERIFY_URL: {
    kind: "variable",
    takes: "a URL",
    does: "Where tokens are verified, in place of Cloudflare's `siteverify`.",
  },
  TURNSTILE_SCRIPT_URL: {
    kind: "variable",
    takes: "a URL",
    does: "The widget's script, in place of Cloudflare's `api.js?render=explicit`.",
  },
  DRAND_URL: {
    kind: "variable",
    takes: "at most 8 URLs with commas between",
    does: "Relays of drand that draws take their rounds from, asked in turn. Without it: https://drand.cloudflare.com.",
  },
  OWN_HOSTS: {
    kind: "launcher",
    takes: "hosts",
    does: "The names of this machine: forwarded until a room names a host.",
  },
  LOCAL: {
    kind: "launcher",
    takes: "`1`",
    does: "Plain HTTP is expected, and addresses come from the connection.",
  },
};
