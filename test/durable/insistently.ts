import { eventually } from "../support/eventually.ts";

/** What fails is asked again, as clients do, until it is answered: even `false` is an answer. */
export const insistently = async <T>(ask: () => Promise<T>): Promise<T> => {
  const attempt = async (): Promise<{ answer: T }> => ({ answer: await ask() });
  return (await eventually(attempt, { every: 10 })).answer;
};
