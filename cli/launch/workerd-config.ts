import { hostKeeperName } from "../../src/worker/origin/host-keeper.ts";
import { addressOf } from "./host-kept.ts";
import { OBJECTS_DIR, objectsKey } from "./runtime.ts";
import type { RuntimePlan } from "./runtime.ts";

export const SOCKET_NAME = "http";
export const SCRIPT_FILE = "worker.js";
export const OBJECTS_FILE = "objects.js";
/** Services of workerd: the Worker, the objects that it asks, and where they are stored. */
const WORKER = "worker";
const OBJECTS = "objects";
const DISK = "disk";
/** Variables reach workerd through its environment, so that no secret lies in a file. */
export const environmentName = (variable: string): string => `SEIRIKEN_VAR_${variable}`;

type Part = Pick<RuntimePlan, "config" | "scripts" | "vars" | "hostKept" | "cfHeader" | "dataDir">;

/**
 * While V8 collects, and the runtime frees what it collected, every connection stands still: so both are
 * done often and in small parts (docs/decisions/collections.md). Young objects have one megabyte, instead
 * of 16; old ones are collected at 12 MB for the first time, instead of 32, and then when they have grown
 * by half, instead of threefold. Long before that the Worker collects by itself (its CollectionPacer), and
 * so often that V8 would throw away the bytecode of whatever was not called for some seconds.
 */
const V8_FLAGS = [
  "--max-semi-space-size=1",
  "--initial-old-space-size=12",
  "--heap-growing-percent=50",
  "--expose-gc",
  "--no-flush-bytecode",
];

/** A Cap'n Proto text config for `workerd serve`; the scripts lie beside it. */
export const workerdConfig = (plan: Part): string => {
  const { hostKept = [], cfHeader, dataDir } = plan;
  const told = cfHeader === undefined ? "" : `cfBlobHeader = ${text(cfHeader)}`;
  const workers = workersOf(plan);
  const services = [
    ...workers.map(({ name }) => `(name = ${text(name)}, worker = .${name})`),
    `(name = "internet", network = (
      allow = ["public", "private"],
      tlsOptions = (trustBrowserCas = true)
    ))`,
    ...hostKept.map(keeperService),
    `(name = "${DISK}", disk = (path = ${text(`${dataDir}/${OBJECTS_DIR}`)}, writable = true))`,
  ];
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
${services.map((service) => `    ${service},\n`).join("")}  ],
  sockets = [(name = "${SOCKET_NAME}", address = "127.0.0.1:0", http = (${told}), service = "${WORKER}")],
  structuredLogging = true,
  v8Flags = ${list(V8_FLAGS.map(text))},
);

${workers.map((worker) => workerText(plan, worker)).join("\n")}`;
};

/** One script in one isolate. */
interface WorkerPart {
  readonly name: string;
  readonly file: string;
  /** The service in which the classes of the objects are: null for this one. */
  readonly objectsIn: string | null;
}

const workersOf = ({ scripts }: Part): readonly WorkerPart[] =>
  scripts.objects === null
    ? [{ name: WORKER, file: SCRIPT_FILE, objectsIn: null }]
    : [
        { name: WORKER, file: SCRIPT_FILE, objectsIn: OBJECTS },
        { name: OBJECTS, file: OBJECTS_FILE, objectsIn: null },
      ];

const workerText = (plan: Part, { name, file, objectsIn }: WorkerPart): string => {
  const { config } = plan;
  return `const ${name} :Workerd.Worker = (
  modules = [(name = ${text(file)}, esModule = embed ${text(file)})],
  compatibilityDate = ${text(config.compatibilityDate)},
  compatibilityFlags = ${list(config.compatibilityFlags.map(text))},
  bindings = ${list(bindingsOf(plan, objectsIn))},
${objectsIn === null ? objectsText(config) : ""});
`;
};

const bindingsOf = (
  { config, vars, hostKept = [] }: Part,
  objectsIn: string | null,
): readonly string[] => {
  const classOf = (className: string): string =>
    objectsIn === null
      ? text(className)
      : `(className = ${text(className)}, serviceName = ${text(objectsIn)})`;
  return [
    ...config.objects.map(
      ({ binding, className }) =>
        `(name = ${text(binding)}, durableObjectNamespace = ${classOf(className)})`,
    ),
    ...Object.keys(vars).map(
      (name) => `(name = ${text(name)}, fromEnvironment = ${text(environmentName(name))})`,
    ),
    ...hostKept
      .map((origin) => text(hostKeeperName(origin)))
      .map((name) => `(name = ${name}, service = ${name})`),
  ];
};

/** The classes that a script brings, and where what they store lies. */
const objectsText = ({ name, objects }: Part["config"]): string => {
  const namespaces = objects.map(({ className }) => {
    const key = objectsKey(name, className);
    return `(className = ${text(className)}, uniqueKey = ${text(key)}, enableSql = true)`;
  });
  return `  durableObjectNamespaces = ${list(namespaces)},
  durableObjectStorage = (localDisk = "${DISK}"),
`;
};

/** A server at a fixed address, whatever host the request names. */
const keeperService = (origin: string): string => {
  const { address, isTls, hostname } = addressOf(origin);
  const tls = `tlsOptions = (trustBrowserCas = true), certificateHost = ${text(hostname)}`;
  const style = isTls ? `https = (options = (), ${tls})` : "http = ()";
  return `(name = ${text(hostKeeperName(origin))}, external = (address = ${text(address)}, ${style}))`;
};

/** JSON's escapes are among Cap'n Proto's. */
const text = (value: string): string => JSON.stringify(value);
const list = (items: readonly string[]): string => `[${items.join(", ")}]`;
