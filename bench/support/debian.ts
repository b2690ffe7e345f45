import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const READY_WITHIN_MS = 5_000;

/** True if the program is there; else says how it comes here, and that this part is left out. */
export const hasProgram = (program: string, debianPackage: string): boolean => {
  if (spawnSync(program, ["-v"], { stdio: "ignore" }).error === undefined) return true;
  console.error(
    `${program} is not installed, so nothing is compared with it: apt install ${debianPackage}`,
  );
  return false;
};

export interface Program {
  stop(): Promise<void>;
}

/** Runs it until stopped; resolves when it takes connections at `at` (a port or a socket's path). */
export const startProgram = async (
  program: string,
  args: readonly string[],
  at: number | string,
): Promise<Program> => {
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "inherit"] });
  const killOnExit = () => child.kill("SIGKILL");
  process.on("exit", killOnExit);
  const giveUpAt = performance.now() + READY_WITHIN_MS;
  while (!(await takesConnections(at))) {
    if (child.exitCode !== null || performance.now() > giveUpAt)
      throw new Error(`${program} does not start`);
    await sleep(50);
  }
  return {
    async stop() {
      process.off("exit", killOnExit);
      if (child.exitCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
};

const takesConnections = (at: number | string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket =
      typeof at === "number" ? connect({ host: "127.0.0.1", port: at }) : connect({ path: at });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
