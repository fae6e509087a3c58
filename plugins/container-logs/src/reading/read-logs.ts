import type { LogContainer, LogDriver, LogQuery } from '@gantry/core/contracts';
import { kindOf, notImplemented } from '@gantry/core/errors';
import type { LoggedContainer, LogRequest, LogSource } from '../service.js';
import { DirectoryWatch } from './directory-watch.js';
import { LogFormat } from './log-format.js';

/** What reading needs of the logs' machinery. */
export interface ReadableLogs {
  driverOf(container: LoggedContainer): LogDriver;
  caughtUp(id: string): Promise<void>;
  caughtUpOrStill(container: LogContainer): Promise<void>;
}

/** Rejects as `ContainerLogs.read`. */
export function readLogs(logs: ReadableLogs, source: LogSource, request: LogRequest): AsyncIterable<Uint8Array> {
  const driver = logs.driverOf(source.container);
  if (!driver.capabilities.read || driver.read === undefined) {
    throw notImplemented('configured logging driver does not support reading');
  }
  return pages(logs, source, request);
}

async function* pages(logs: ReadableLogs, source: LogSource, request: LogRequest): AsyncGenerator<Uint8Array> {
  const { container } = source;
  const { timestamps = false, details = false, raw = false, see } = request;
  const format = new LogFormat({
    timestamps,
    details,
    raw: raw || container.terminal,
    ...(see !== undefined && { see }),
  });
  let watch: DirectoryWatch | undefined;
  try {
    for (;;) {
      // Whether it runs is asked first: if it does not, catching up is then up to its end.
      const asked = query(logs, source, request);
      await logs.caughtUpOrStill(container);
      try {
        for await (const page of logs.driverOf(container).read?.(container, asked) ?? []) {
          const bytes = format.bytes(page);
          if (bytes.length > 0) yield bytes;
        }
        return;
      } catch (error) {
        // Nothing was written yet: that is an empty log, and not a fault.
        if (kindOf(error) !== 'not-found') throw error;
        if (!asked.follow) return;
        // Watched before it is looked for again, so that its beginning is not missed.
        if (watch === undefined) watch = new DirectoryWatch(container.directory);
        else await watch.change(asked.ended);
        if (request.signal.aborted) return;
      }
    }
  } finally {
    watch?.close();
  }
}

function query(logs: ReadableLogs, source: LogSource, request: LogRequest): LogQuery {
  const { stdout, stderr, since, until, tail, signal } = request;
  // Of a container that does not run, no more comes.
  const follow = request.follow === true && source.isRunning();
  return {
    stdout,
    stderr,
    follow,
    signal,
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(tail !== undefined && { tail }),
    ...(follow && { ended: ended(logs, source, signal) }),
  };
}

/** Resolves when the container has ended and its output is in the log, or the reader has gone. */
async function ended(logs: ReadableLogs, source: LogSource, signal: AbortSignal): Promise<void> {
  await source.ended({ signal });
  if (!signal.aborted) await logs.caughtUp(source.container.id);
}
