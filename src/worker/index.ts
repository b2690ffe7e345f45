/** All of it in one script, as `wrangler deploy` uploads it. */
export { default } from "./handler.ts";
export { Lobby, Locks, Registry, Room } from "./objects.ts";
