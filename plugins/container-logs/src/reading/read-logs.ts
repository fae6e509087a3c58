import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import type { LogDriver, LogQuery, LogRecord } from '@gantry/core/contracts';
import { kindOf, notImplemented, unavailable } from '@gantry/core/errors';
import type { LoggedContainer, LogRequest, LogSource } from '../service.js';
import { DirectoryWatch } from './directory-watch.js';
import { LogFormat } from './log-format.js';

/** What reading needs of the service. */
interface ReadableLogs {
  driverOf(container: LoggedContainer): LogDriver;
  caughtUp(container: LoggedContainer, options: { readonly isRunning: boolean }): Promise<void>;
  /** Waits until all output is in the log. @returns false when the log driver has stalled. */
  catchUp(container: LoggedContainer, options: CatchUpOptions): Promise<boolean>;
}

export interface CatchUpOptions {
  /** More output may follow. */
  readonly isRunning: boolean;
  readonly signal: AbortSignal;
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
  const storing: Storing = { hasFailed: false };
  /** The log was empty while output was waited for, and this is what came of that; see `PendingQuery`. */
  let hasWaited: boolean | undefined;
  try {
    for (;;) {
      // Determined before catching up: of a container that does not run, that is then all output.
      const isRunning = source.isRunning();
      const { asked, isCaughtUp, isFollower } = await queryOf(logs, source, request, {
        isRunning,
        hasWaited,
        storing,
      });
      try {
        for await (const page of logs.driverOf(container).read?.(container, asked) ?? []) {
          const bytes = format.bytes(page);
          if (bytes.length > 0) yield bytes;
        }
        return yield* notice(format, request, !storing.hasFailed && (isRunning || (await isCaughtUp)));
      } catch (error) {
        // Nothing was written yet: the log is empty.
        if (kindOf(error) !== 'not-found') throw error;
        if (!isFollower) {
          const isComplete = await isCaughtUp;
          // The first lines may have been stored while this waited: reads once more, and waits no longer.
          if (asked.follow) {
            hasWaited = isComplete;
            continue;
          }
          return yield* notice(format, request, isRunning || isComplete);
        }
        // Watched before the next attempt, so that the first write is not missed.
        if (watch === undefined) watch = new DirectoryWatch(container.directory);
        else await watch.change(asked.ended);
        if (request.signal.aborted) return;
      }
    }
  } finally {
    watch?.close();
  }
}

/** Whether the output before the end of a followed log could not be stored. */
interface Storing {
  hasFailed: boolean;
}

interface PendingQuery {
  readonly asked: LogQuery;
  /** Settles at the latest when the query has ended; false when the log driver has stalled. */
  readonly isCaughtUp: boolean | Promise<boolean>;
  /** The client follows a container that runs. */
  readonly isFollower: boolean;
}

/**
 * A follower receives pending output later anyway. A tail is counted from the end, so it waits for all output, and so does
 * the log of a driver outside the log worker: it may be a plugin that has just been restarted, and that decides itself
 * when a followed log ends. Any other log is read while the rest of it is being stored: the query follows until then.
 */
async function queryOf(
  logs: ReadableLogs,
  source: LogSource,
  request: LogRequest,
  {
    isRunning,
    hasWaited,
    storing,
  }: { readonly isRunning: boolean; readonly hasWaited: boolean | undefined; readonly storing: Storing },
): Promise<PendingQuery> {
  const asked = query(logs, source, request, storing);
  const isFollower = asked.follow;
  if (hasWaited !== undefined) return { asked, isCaughtUp: hasWaited, isFollower };
  if (isFollower && asked.tail === undefined) return { asked, isCaughtUp: true, isFollower };
  const isCaughtUp = logs.catchUp(source.container, { isRunning, signal: request.signal });
  const { worker } = logs.driverOf(source.container).capabilities;
  if (asked.tail !== undefined || !worker) return { asked, isCaughtUp: await isCaughtUp, isFollower };
  const first = await Promise.race([isCaughtUp, setImmediate(undefined)]);
  if (first !== undefined) return { asked, isCaughtUp: first, isFollower };
  const ended = isCaughtUp.then(() => undefined);
  return { asked: { ...asked, follow: true, ended }, isCaughtUp, isFollower };
}

function query(logs: ReadableLogs, source: LogSource, request: LogRequest, storing: Storing): LogQuery {
  const { stdout, stderr, since, until, tail, signal } = request;
  const follow = request.follow === true && source.isRunning() && !isPast(until);
  return {
    stdout,
    stderr,
    follow,
    signal,
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(tail !== undefined && { tail }),
    ...(follow && {
      ended: ended(logs, source, request).catch(() => {
        storing.hasFailed = true;
      }),
    }),
  };
}

/**
 * Resolves when the container has exited or the time of `until` has come, and the output of before is in the log, or when
 * the client has disconnected.
 */
async function ended(logs: ReadableLogs, source: LogSource, { until, signal }: LogRequest): Promise<void> {
  const done = new AbortController();
  const ends = AbortSignal.any([signal, done.signal]);
  try {
    await Promise.race([source.ended({ signal: ends }), untilTime(until, ends)]);
  } finally {
    done.abort();
  }
  if (!signal.aborted) await logs.caughtUp(source.container, { isRunning: source.isRunning() });
}

const isPast = (time: bigint | undefined): boolean => time !== undefined && Number(time / 1_000_000n) < Date.now();

/** The longest that a timer of Node takes, in milliseconds. */
const maxTimer = 2 ** 31 - 1;

/** Resolves when it is later than `time`, in nanoseconds since the epoch, or the signal aborts. Without a time: never. */
async function untilTime(time: bigint | undefined, signal: AbortSignal): Promise<void> {
  if (time === undefined) return new Promise(() => undefined);
  const at = Number(time / 1_000_000n) + 1;
  for (let now = Date.now(); now < at && !signal.aborted; now = Date.now()) {
    await delay(Math.min(at - now, maxTimer), undefined, { signal }).catch(() => undefined);
  }
}

/** An incomplete log never looks like a complete one: without stderr, which would show the notice, the answer fails. */
function* notice(format: LogFormat, { stderr }: LogRequest, isComplete: boolean): Generator<Uint8Array, void> {
  if (isComplete) return;
  if (!stderr) throw unavailable('incomplete log: the log driver has not stored all output yet');
  yield format.bytes({ records: incompleteNotice });
}

const incompleteNotice = (): LogRecord[] => [
  {
    stream: 'stderr',
    time: BigInt(Date.now()) * 1_000_000n,
    line: Buffer.from('[incomplete log: the log driver has not stored all output yet]'),
    partial: false,
  },
];
