/** Files share a runtime, so that each need not load the whole Worker: it starts without any object. */
import { reset } from "cloudflare:test";
import { beforeAll } from "vitest";

beforeAll(() => reset());
