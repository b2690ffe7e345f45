/**
 * Loaded before a command of package.json: what Node compiles of it is kept for the next time, in
 * the project's own folder. Where that can't be written, commands start as slowly as without.
 */
import { enableCompileCache } from "node:module";
import { join } from "node:path";

enableCompileCache(join(import.meta.dirname, "../node_modules/.cache/compiled"));
