import type { Logger } from '../kernel/logging/logger.js';

interface CrashPolicy {
  readonly log: Logger;
  /** Writes out the log. Returns in any case. */
  readonly flush: () => void;
  /** Ends the process. */
  readonly exit: (code: number) => void;
}

/**
 * The policy for errors that no caller handles: their state is unknown, so the daemon logs them with their stack and exits
 * with 1 for its supervisor to restart it. Containers are not touched: the next daemon recovers them as after `kill -9`.
 * @returns removes it.
 */
export function installCrashPolicy({ log, flush, exit }: CrashPolicy): () => void {
  const onUncaught = (error: unknown, origin: NodeJS.UncaughtExceptionOrigin): void => {
    try {
      log.error({ event: 'daemon.crashed', origin, error }, 'uncaught error; exiting, containers keep running');
      flush();
    } finally {
      exit(1);
    }
  };
  process.on('uncaughtException', onUncaught);
  return () => process.off('uncaughtException', onUncaught);
}
