import type { TerminalSize } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';

/**
 * Reads `ConsoleSize`, a height and a width; undefined leaves the size to the runtime, as one with a side of 0 does.
 * @throws EngineError `invalid-argument` naming the field and the value.
 */
export function readConsoleSize(size: readonly number[] | null | undefined): TerminalSize | undefined {
  if (size === undefined || size === null) return undefined;
  const [height = 0, width = 0] = size;
  if (size.length !== 2 || size.some((side) => side < 0 || side > 65_535)) {
    throw invalidArgument(`ConsoleSize: [${size.join(', ')}] is not a height and a width of 0 to 65535 characters`);
  }
  return height > 0 && width > 0 ? { height, width } : undefined;
}
