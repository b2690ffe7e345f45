/** How workerd's allocator (TCMalloc) is set up, from outside: docs/decisions/the-allocator.md. */

const RSEQ = "glibc.pthread.rseq";

/**
 * For workerd's environment. TCMalloc keeps a cache for each processor only where it may register with the
 * kernel (rseq) itself, and glibc has done that for every thread before, unless it is told not to. Whoever
 * starts us may have said so of glibc already, or something else.
 */
export const allocatorEnvironment = ({
  GLIBC_TUNABLES: given = "",
}: Readonly<Record<string, string | undefined>>): { readonly GLIBC_TUNABLES: string } => {
  const tunables = given === "" ? [] : given.split(":");
  const isSaid = tunables.some((tunable) => tunable.startsWith(`${RSEQ}=`));
  return { GLIBC_TUNABLES: (isSaid ? tunables : [...tunables, `${RSEQ}=0`]).join(":") };
};
