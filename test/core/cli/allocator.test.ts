import { expect, test } from "vitest";
import { allocatorEnvironment } from "../../../cli/launch/allocator.ts";

test.each([
  [undefined, "glibc.pthread.rseq=0"],
  ["", "glibc.pthread.rseq=0"],
  ["glibc.malloc.check=1", "glibc.malloc.check=1:glibc.pthread.rseq=0"],
  ["glibc.pthread.rseq=1", "glibc.pthread.rseq=1"],
  ["glibc.malloc.check=1:glibc.pthread.rseq=0", "glibc.malloc.check=1:glibc.pthread.rseq=0"],
  ["glibc.pthread.rseq_size=9", "glibc.pthread.rseq_size=9:glibc.pthread.rseq=0"],
])("[RUN-31] beside %s glibc is told %s", (given, told) => {
  expect(allocatorEnvironment({ GLIBC_TUNABLES: given })).toEqual({ GLIBC_TUNABLES: told });
});
