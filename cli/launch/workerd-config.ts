import { OBJECTS_DIR, objectsKey } from "./runtime.ts";
import type { RuntimePlan } from "./runtime.ts";

export const SOCKET_NAME = "http";
export const SCRIPT_FILE = "worker.js";
/** Variables reach workerd through its environment, so that no secret lies in a file. */
export const environmentName = (variable: string): string => `SEIRIKEN_VAR_${variable}`;

type Part = Pick<RuntimePlan, "config" | "vars" | "dataDir">;

/** A Cap'n Proto text config for `workerd serve`; the script lies beside it. */
export const workerdConfig = ({ config, vars, dataDir }: Part): string => {
  const bindings = [
    ...config.objects.map(
      ({ binding, className }) =>
        `(name = ${text(binding)}, durableObjectNamespace = ${text(className)})`,
    ),
    ...Object.keys(vars).map(
      (name) => `(name = ${text(name)}, fromEnvironment = ${text(environmentName(name))})`,
    ),
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
    (name = "objects", disk = (path = ${text(`${dataDir}/${OBJECTS_DIR}`)}, writable = true)),
  ],
  sockets = [(name = "${SOCKET_NAME}", address = "127.0.0.1:0", http = (), service = "worker")],
  structuredLogging = true,
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

/** JSON's escapes are among Cap'n Proto's. */
const text = (value: string): string => JSON.stringify(value);
const list = (items: readonly string[]): string => `[${items.join(", ")}]`;
