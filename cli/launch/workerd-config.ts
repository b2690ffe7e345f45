import { hostKeeperName } from "../../src/worker/origin/host-keeper.ts";
import { addressOf } from "./host-kept.ts";
import { OBJECTS_DIR, objectsKey } from "./runtime.ts";
import type { RuntimePlan } from "./runtime.ts";

export const SOCKET_NAME = "http";
export const SCRIPT_FILE = "worker.js";
/** Variables reach workerd through its environment, so that no secret lies in a file. */
export const environmentName = (variable: string): string => `SEIRIKEN_VAR_${variable}`;

type Part = Pick<RuntimePlan, "config" | "vars" | "hostKept" | "cfHeader" | "dataDir">;

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

/** A Cap'n Proto text config for `workerd serve`; the script lies beside it. */
export const workerdConfig = ({ config, vars, hostKept = [], cfHeader, dataDir }: Part): string => {
  const told = cfHeader === undefined ? "" : `cfBlobHeader = ${text(cfHeader)}`;
  const bindings = [
    ...config.objects.map(
      ({ binding, className }) =>
        `(name = ${text(binding)}, durableObjectNamespace = ${text(className)})`,
    ),
    ...Object.keys(vars).map(
      (name) => `(name = ${text(name)}, fromEnvironment = ${text(environmentName(name))})`,
    ),
    ...hostKept
      .map((origin) => text(hostKeeperName(origin)))
      .map((name) => `(name = ${name}, service = ${name})`),
  ];
  const namespaces = config.objects.map(({ className }) => {
    const key = objectsKey(config.name, className);
    return `(className = ${text(className)}, uniqueKey = ${text(key)}, enableSql = true)`;
  });
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "worker", worker = .worker),
    (name = "internet", network = (
      allow = ["public", "private"],
      tlsOptions = (trustBrowserCas = true)
    )),
${hostKept.map((origin) => `    ${keeperService(origin)},\n`).join("")}    (name = "objects", disk = (path = ${text(`${dataDir}/${OBJECTS_DIR}`)}, writable = true)),
  ],
  sockets = [(name = "${SOCKET_NAME}", address = "127.0.0.1:0", http = (${told}), service = "worker")],
  structuredLogging = true,
  v8Flags = ${list(V8_FLAGS.map(text))},
);

const worker :Workerd.Worker = (
  modules = [(name = "${SCRIPT_FILE}", esModule = embed "${SCRIPT_FILE}")],
  compatibilityDate = ${text(config.compatibilityDate)},
  compatibilityFlags = ${list(config.compatibilityFlags.map(text))},
  bindings = ${list(bindings)},
  durableObjectNamespaces = ${list(namespaces)},
  durableObjectStorage = (localDisk = "objects"),
);
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
