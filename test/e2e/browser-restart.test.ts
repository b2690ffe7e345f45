import { describe, expect, test } from "vitest";
import { browserStage } from "../support/browser-stage.ts";
import { phaseIs } from "../support/browser-visit.ts";
import { eventually } from "../support/eventually.ts";
import { roomOver, visitorInside } from "../support/rooms.ts";

const ONE = { total_active_users: 1 };

describe("workerd killed", () => {
  const stage = browserStage({
    rooms: [roomOver("waiting", ONE), roomOver("inside", ONE)],
  });

  test("[BROWSER-7] kill -9 of workerd: the pages go on by themselves, with their numbers and visits", async () => {
    const sockets: string[] = [];
    const holder = await visitorInside(stage.seiriken, "waiting");
    await using here = await stage.visit("/waiting/seat?row=3", {
      prepare: (page) => page.on("websocket", (socket) => sockets.push(socket.url())),
    });
    await phaseIs(here.page, "waiting");
    await eventually(() => expect(sockets).toHaveLength(1));
    await using other = await stage.visit("/inside/seat");
    await other.page.locator("#origin").waitFor();

    await stage.seiriken.kill9();
    await eventually(() => expect(sockets.length).toBeGreaterThan(1));
    expect(await here.text("number")).toBe("2");
    expect(await here.phase()).toBe("waiting");
    await other.page.goto(`${stage.seiriken.url}/inside/again`);
    expect(await other.page.textContent("#origin")).toContain("GET /inside/again");

    await holder.release();
    await here.page.locator("#origin").waitFor({ timeout: 60_000 });
    expect(stage.reached("waiting")).toEqual(["GET /waiting/seat?row=3"]);
    const { requests } = stage.seiriken.origin;
    const entered = requests.find(({ url }) => url === "/waiting/seat?row=3");
    expect(entered?.headers["seiriken-visit"]).toBe("2");
    expect(here.titles.filter((title) => title.startsWith("Taking"))).toHaveLength(1);
  });
});
