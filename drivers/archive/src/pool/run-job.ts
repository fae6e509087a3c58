import { MessageChannel } from 'node:worker_threads';
import { internal } from '@gantry/core/errors';
import { abortError } from './abort.js';
import { fromFailure } from './failure.js';
import type { JobKind, Jobs } from './jobs.js';
import { type FromThread, type JobStart, pieceSize, piecesInFlight, type ToThread } from './protocol.js';
import type { SocketProgress } from './socket-progress.js';
import { Stall } from './stall.js';
import type { Lane, ThreadPool } from './thread-pool.js';

export interface JobOptions {
  readonly lane: Lane;
  readonly signal?: AbortSignal;
  /** What the job reads. It is the caller's to close, also when it was not read to its end. */
  readonly input?: AsyncIterable<Uint8Array>;
  /** Where the job tells how far it is with the connection it reads. */
  readonly socket?: SocketProgress;
  /** Told now and then how many bytes of its input the job has read so far. */
  readonly onRead?: (total: number) => void;
  /** Takes a piece of what the job writes. `grant` lets it write another one. */
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
  const start: JobStart = { kind, request, channel: port2, aborted };
  /** Ends the job: the caller's signal, or an input that failed. */
  const giveUp = new AbortController();
  const onAbort = (): void => {
    if (options.signal !== undefined) giveUp.abort(abortError(options.signal));
  };
  if (options.signal?.aborted === true) onAbort();
  options.signal?.addEventListener('abort', onAbort, { once: true });
  const send = (message: ToThread, transfer: ArrayBuffer[] = []): void => channel.postMessage(message, transfer);
  giveUp.signal.addEventListener('abort', () => {
    Atomics.store(new Int32Array(aborted), 0, 1);
    send({ type: 'abort' });
  });
  const stall = new Stall((reason) => giveUp.abort(reason), options.socket);
  const passOn = (bytes: Uint8Array): void => {
    stall.begin();
    options.onPiece?.(bytes, () => {
      stall.end();
      send({ type: 'grant', pieces: 1 });
    });
  };
  const feeder = options.input === undefined ? undefined : new Feeder(options.input, stall, send);
  try {
    const outcome = new Promise<Jobs[K]['result']>((resolve, reject) => {
      channel.on('message', (message: FromThread) => {
        if (message.type === 'taken') feeder?.taken(message.memory);
        else if (message.type === 'read') options.onRead?.(message.total);
        else if (message.type === 'piece') passOn(message.bytes);
        else if (message.type === 'result') resolve(message.result as Jobs[K]['result']);
        else reject(fromFailure(message.failure));
      });
    });
    outcome.catch(() => undefined);
    const { over } = await pool.begin(start, options.lane, giveUp.signal, stall);
    feeder?.run().catch((error: unknown) => giveUp.abort(error));
    // Not before the thread has let go of everything, so that the caller can clean up after it.
    const died = await over;
    if (died !== undefined) throw internal(`an archive thread ended: ${died.message}`, { cause: died });
    return await outcome;
  } catch (error) {
    throw giveUp.signal.aborted ? giveUp.signal.reason : error;
  } finally {
    options.signal?.removeEventListener('abort', onAbort);
    feeder?.stop();
    channel.close();
  }
}

/** Brings the input over in pieces of one size, no faster than the thread takes them. */
class Feeder {
  #credit = piecesInFlight;
  #onCredit: (() => void) | undefined;
  #stopped = false;
  #piece = new Uint8Array(pieceSize);
  /** Memory that came back: making new costs more than filling it. */
  readonly #spare: ArrayBuffer[] = [];
  #filled = 0;

  constructor(
    private readonly input: AsyncIterable<Uint8Array>,
    private readonly stall: Stall,
    private readonly send: (message: ToThread, transfer?: ArrayBuffer[]) => void,
  ) {}

  taken(memory: ArrayBuffer | undefined): void {
    if (memory?.byteLength === pieceSize) this.#spare.push(memory);
    this.#credit++;
    this.#onCredit?.();
  }

  async run(): Promise<void> {
    this.stall.begin();
    for await (const chunk of this.input) {
      this.stall.end();
      for (let at = 0; at < chunk.length; ) {
        // Copied, because the same memory may be somebody else's too; then moved, not copied, to the thread.
        const part = chunk.subarray(at, at + pieceSize - this.#filled);
        this.#piece.set(part, this.#filled);
        this.#filled += part.length;
        at += part.length;
        if (this.#filled === pieceSize) await this.#flush();
      }
      if (this.#stopped) return;
      this.stall.begin();
    }
    this.stall.end();
    if (this.#filled > 0) await this.#flush();
    this.send({ type: 'end' });
  }

  /** Ends the input where it stands. */
  stop(): void {
    this.#stopped = true;
    this.#onCredit?.();
  }

  async #flush(): Promise<void> {
    while (this.#credit === 0 && !this.#stopped) {
      await new Promise<void>((resolve) => {
        this.#onCredit = resolve;
      });
    }
    this.#credit--;
    const bytes = this.#piece.subarray(0, this.#filled);
    this.#piece = new Uint8Array(this.#spare.pop() ?? new ArrayBuffer(pieceSize));
    this.#filled = 0;
    if (!this.#stopped) this.send({ type: 'piece', bytes }, [bytes.buffer as ArrayBuffer]);
  }
}
