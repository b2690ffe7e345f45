import fc from "fast-check";
import type { Core } from "../../sim/core.ts";
import type { history } from "./histories.ts";
import { RequestTwins } from "./request-twins.ts";

/** Over random histories this core and the plain twin never differ. */
export const agreement = (core: Core, of: typeof history) =>
  fc.property(of, ({ limits, actions }) => {
    const twins = new RequestTwins(core, limits);
    for (const action of actions) twins.act(action);
    twins.compareHistory();
  });
