export { Room } from "../durable/room.ts";
