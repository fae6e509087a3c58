import { createHash } from 'node:crypto';

/**
 * What a step is found by in histories that show it in other words. BuildKit's words for a copy do not say what is copied.
 */
export const keyOfStep = (command: readonly string[]): string =>
  `sha256:${createHash('sha256').update(command.join(' ')).digest('hex')}`;
