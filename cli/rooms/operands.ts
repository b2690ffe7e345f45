/** How many words a command takes. */
import { quoted, usageFailure } from "../launch/failure.ts";

export function only(command: string, what: string, operands: readonly string[]): string {
  const [operand] = operands;
  if (operand !== undefined && operands.length === 1) return operand;
  throw usageFailure(`${command} needs one ${what}: ${command} ${what}`);
}

export function none(command: string, operands: readonly string[]): void {
  if (operands.length > 0) throw usageFailure(`${command} takes no ${quoted(operands[0] ?? "")}`);
}
