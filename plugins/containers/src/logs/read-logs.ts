import type { LogQuery, LogRecord } from '@gantry/core/contracts';
import { kindOf, notImplemented } from '@gantry/core/errors';
import type { Parts } from '../parts.js';
import type { ContainerRecord } from '../record.js';
import { isRunning } from '../transitions.js';
import { DirectoryWatch } from './directory-watch.js';
import { LogFormat } from './log-format.js';

export interface LogRequest {
  readonly stdout: boolean;
  readonly stderr: boolean;
  /** Nanoseconds since the epoch. */
  readonly since?: bigint;
  readonly until?: bigint;
  /** Only the last so many lines. */
  readonly tail?: number;
  /** Goes on until the container has ended. */
  readonly follow?: boolean;
  readonly timestamps?: boolean;
  readonly details?: boolean;
  /** Without frames even without a terminal. */
  readonly raw?: boolean;
  /** Gets every record that is read. */
  readonly see?: (record: LogRecord) => void;
  readonly signal: AbortSignal;
}

/**
 * The log of a container as it leaves: frames, or raw bytes for a terminal. Everything written before the call is in
 * it. Each piece is good until the one after the next is asked for. @throws EngineError `not-implemented` when the log driver does not keep logs that can be read.
 */
export function readLogs(parts: Parts, record: ContainerRecord, request: LogRequest): AsyncIterable<Uint8Array> {
  const driver = parts.logs.driverOf(record);
  if (!driver.capabilities.read || driver.read === undefined) {
    throw notImplemented('configured logging driver does not support reading');
  }
  return pages(parts, record, request);
}

async function* pages(parts: Parts, record: ContainerRecord, request: LogRequest): AsyncGenerator<Uint8Array> {
  const container = parts.logs.containerOf(record);
  const { timestamps = false, details = false, raw = false, see } = request;
  const isRaw = raw || (record.config.Tty ?? false);
  const format = new LogFormat({ timestamps, details, raw: isRaw, ...(see !== undefined && { see }) });
  let watch: DirectoryWatch | undefined;
  try {
    for (;;) {
      // Whether it runs is asked first: if it does not, catching up is then up to its end.
      const asked = query(parts, record.id, request);
      await parts.logs.caughtUpOrStill(record.id);
      try {
        for await (const page of parts.logs.driverOf(record).read?.(container, asked) ?? []) {
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

function query(parts: Parts, id: string, request: LogRequest): LogQuery {
  const { stdout, stderr, since, until, tail, signal } = request;
  const container = parts.store.byId(id);
  // Of a container that does not run, no more comes.
  const follow = request.follow === true && container !== undefined && isRunning(container.record.state);
  return {
    stdout,
    stderr,
    follow,
    signal,
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(tail !== undefined && { tail }),
    ...(follow && { ended: ended(parts, id, signal) }),
  };
}

/** Resolves when the container has ended and its output is in the log, or the reader has gone. */
async function ended(parts: Parts, id: string, signal: AbortSignal): Promise<void> {
  const container = parts.store.byId(id);
  await container
    ?.until(({ state }) => !isRunning(state) && state.status !== 'starting', { signal })
    .catch(() => undefined);
  if (!signal.aborted) await parts.logs.caughtUp(id);
}
