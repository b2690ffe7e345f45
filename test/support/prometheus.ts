export { default as parsePrometheus } from "parse-prometheus-text-format";
