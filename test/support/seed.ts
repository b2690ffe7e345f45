/** `SEED=17`: every property of the run begins from this seed, so that it can be had again. */
const seed = process.env["SEED"];
if (seed !== undefined) {
  const { configureGlobal } = await import("fast-check");
  configureGlobal({ seed: Number(seed) });
}

export {};
