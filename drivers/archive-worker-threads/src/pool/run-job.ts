import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MessageChannel } from 'node:worker_threads';
import { internal } from '@gantry/core/errors';
import { abortError } from '@gantry/lib-archive/errors';
import { fromFailure } from './failure.js';
import { Feeder } from './feeder.js';
import { classOf } from './job-class.js';
import type { JobKind, Jobs } from './jobs.js';
import type { FromThread, JobStart, ToThread } from './protocol.js';
import { Stall } from './stall.js';
import type { ThreadPool } from './thread-pool.js';

export interface JobInput {
  readonly chunks: Readable | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Nothing else refers to the memory of the chunks. */
  readonly transferable: boolean;
}

export interface JobOptions {
  readonly signal?: AbortSignal;
  /** What the job reads. Read to its end or destroyed. */
  readonly input?: JobInput;
  /** Called now and then with the bytes of its input that the job has read so far. */
  readonly onRead?: (total: number) => void;
  /** Receives a piece of output. `grant` allows the job to send another one. */
  readonly onPiece?: (bytes: Uint8Array, grant: () => void) => void;
}

/** Runs one job on a thread of the pool. Rejects EngineError, AbortError, or what its input threw. */
export async function runJob<K extends JobKind>(
  pool: ThreadPool,
  kind: K,
  request: Jobs[K]['request'],
  options: JobOptions,
): Promise<Jobs[K]['result']> {
  const { port1: channel, port2 } = new MessageChannel();
  const aborted = new SharedArrayBuffer(4);
  const jobClass = classOf(kind, options.input !== undefined);
  const start: JobStart = { kind, request, channel: port2, aborted };
  /** Aborted by the caller's signal, by a failed input, or by the pool. */
  const abort = new AbortController();
  const onAbort = (): void => {
    if (options.signal !== undefined) abort.abort(abortError(options.signal));
  };
  if (options.signal?.aborted === true) onAbort();
  options.signal?.addEventListener('abort', onAbort, { once: true });
  const send = (message: ToThread, transfer: ArrayBuffer[] = []): void => channel.postMessage(message, transfer);
  abort.signal.addEventListener('abort', () => {
    Atomics.store(new Int32Array(aborted), 0, 1);
    send({ type: 'abort' });
  });
  const stall = new Stall((reason) => abort.abort(reason));
  const passOn = (bytes: Uint8Array): void => {
    stall.begin();
    options.onPiece?.(bytes, () => {
      stall.end();
      send({ type: 'grant', pieces: 1 });
    });
  };
  const { input } = options;
  const feeder = input === undefined ? undefined : new Feeder({ transferable: input.transferable, stall, send });
  try {
    const outcome = new Promise<Jobs[K]['result']>((resolve, reject) => {
      channel.on('message', (message: FromThread) => {
        if (message.type === 'taken') feeder?.taken(message.bytes);
        else if (message.type === 'read') options.onRead?.(message.total);
        else if (message.type === 'piece') passOn(message.bytes);
        else if (message.type === 'result') resolve(message.result as Jobs[K]['result']);
        else reject(fromFailure(message.failure));
      });
    });
    outcome.catch(() => undefined);
    const { over } = await pool.begin(start, jobClass, abort.signal, stall);
    if (input !== undefined && feeder !== undefined) {
      stall.begin();
      pipeline(input.chunks, feeder).catch((error: unknown) => abort.abort(error));
    }
    // Settle only when the worker has closed its files, so that the caller can clean up.
    const died = await over;
    if (died !== undefined) throw internal(`an archive thread ended: ${died.message}`, { cause: died });
    return await outcome;
  } catch (error) {
    throw abort.signal.aborted ? abort.signal.reason : error;
  } finally {
    options.signal?.removeEventListener('abort', onAbort);
    feeder?.destroy();
    channel.close();
  }
}
