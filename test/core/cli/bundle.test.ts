import { describe, expect, test } from "vitest";
import { bundleParts, bundleWhole } from "../../../cli/launch/bundle.ts";
import { readWorkerConfig } from "../../../cli/launch/worker-config.ts";
import { workerdConfig } from "../../../cli/launch/workerd-config.ts";

const config = await readWorkerConfig();
const classes = config.objects.map(({ className }) => className);
const parts = await bundleParts(config);
const whole = await bundleWhole(config);

/** Names under which a module of one line exports. */
const exportsOf = (script: string): string[] =>
  ([...script.matchAll(/\bexport\s*\{([^}]*)\}/g)].at(-1)?.[1] ?? "")
    .split(",")
    .map((name) => name.trim().split(" as ").at(-1) ?? "")
    .toSorted();

test.each(Object.entries({ ...parts, whole }))(
  "the script of %s is of plain letters, so that an isolate keeps it with a byte for each",
  (_name, script) => {
    expect(/.{0,40}[^\n -~\t\r].{0,40}/.exec(script)?.[0] ?? null).toBeNull();
  },
);

describe("Worker and objects have an isolate each", () => {
  test("[RUN-33] what answers requests is one script, the classes are another; what is deployed is both", () => {
    expect(exportsOf(parts.worker)).toEqual(["default"]);
    expect(exportsOf(parts.objects)).toEqual(classes.toSorted());
    expect(exportsOf(whole)).toEqual([...classes, "default"].toSorted());
  });

  test("[RUN-33] neither has what only the other needs", () => {
    const ofObjects = /\b(?:SqlRoomStore|WaitingRequests|OpBatcher)=class\b/g;
    const ofWorker = /\b(?:Arrival|RoomViews|Hono)=class\b/g;
    expect(whole.match(ofObjects)).toHaveLength(3);
    expect(parts.objects.match(ofObjects)).toHaveLength(3);
    expect(parts.worker.match(ofObjects)).toBeNull();
    expect(parts.worker.match(ofWorker)).toHaveLength(3);
    expect(parts.objects.match(ofWorker)).toBeNull();
  });

  const dataDir = "/data";
  const textOf = (objects: string | null): string =>
    workerdConfig({ config, scripts: { worker: "", objects }, vars: { ORIGIN: "x" }, dataDir });
  /** What one of the file's constants says. */
  const constant = (text: string, name: string): string =>
    new RegExp(`const ${name} :[^]*?\n\\);`).exec(text)?.[0] ?? "";

  test("[RUN-33] the Worker's bindings lead to the other's classes, and only that one stores", () => {
    const text = textOf("");
    const [worker, objects] = [constant(text, "worker"), constant(text, "objects")];
    for (const { binding, className } of config.objects) {
      const here = `(name = "${binding}", durableObjectNamespace = "${className}")`;
      const there = `(name = "${binding}", durableObjectNamespace = (className = "${className}", serviceName = "objects"))`;
      expect(worker).toContain(there);
      expect(objects).toContain(here);
      expect(objects).toContain(`uniqueKey = "${config.name}-${className}"`);
    }
    expect(worker).not.toMatch(/uniqueKey|durableObjectStorage/);
    expect(objects).toContain("durableObjectStorage");
    for (const each of [worker, objects]) expect(each).toContain('(name = "ORIGIN",');
  });

  test("[RUN-33] a script that brings its own classes has one isolate", () => {
    const text = textOf(null);
    expect(constant(text, "objects")).toBe("");
    expect(text).not.toContain("serviceName");
    expect(constant(text, "worker")).toContain("durableObjectStorage");
  });
});
