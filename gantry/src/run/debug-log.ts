import type { Writable } from 'node:stream';
import { inspect } from 'node:util';
import type { LogFacts, Logger } from '@gantry/core';

/** The engine's log, with GANTRY_DEBUG in the environment: the command's output is the command's alone otherwise. */
export function debugLog(output: Writable): Logger | undefined {
  if (process.env.GANTRY_DEBUG === undefined) return undefined;
  const write =
    (level: string) =>
    ({ error, err, ...facts }: LogFacts, message: string): void => {
      const cause = error ?? err;
      const more = cause === undefined ? facts : { ...facts, error: inspect(cause) };
      output.write(`${level} ${message} ${JSON.stringify(more)}\n`);
    };
  const log: Logger = {
    trace: write('trace'),
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: () => log,
  };
  return log;
}
