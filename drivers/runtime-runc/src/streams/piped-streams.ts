import { Readable } from 'node:stream';
import type { OutputChunk, TaskStreams } from '@gantry/core/contracts';
import type { Stdin } from './stdin.js';

/** Chunks that may wait in memory; a pipe gives up to 64 KiB at once. */
const waitingChunks = 16;
/** How long after the exit the pipes are read while another process holds them, in ms since the last output. */
const drainTimeout = 100;

/** A process's streams through pipes of the daemon's. */
export class PipedStreams implements TaskStreams {
  readonly output: Readable & AsyncIterable<OutputChunk>;
  readonly #sources: readonly Readable[];
  #open = 2;
  #isFinishing = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    stdout: Readable,
    stderr: Readable,
    private readonly stdin: Stdin,
  ) {
    this.#sources = [stdout, stderr];
    this.output = new Readable({
      objectMode: true,
      highWaterMark: waitingChunks,
      read: () => {
        for (const source of this.#sources) source.resume();
        this.#wait();
      },
      destroy: (error, done) => {
        this.close();
        done(error);
      },
    });
    this.#join(stdout, 'stdout');
    this.#join(stderr, 'stderr');
  }

  writeStdin(bytes: Uint8Array): Promise<void> {
    return this.stdin.write(bytes);
  }

  endStdin(): Promise<void> {
    return this.stdin.end();
  }

  /** The process has exited; one that it started may still hold its pipes, possibly for ever. */
  finish(): void {
    this.#isFinishing = true;
    this.stdin.close();
    this.#wait();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#open = 0;
    this.stdin.close();
    for (const source of this.#sources) source.destroy();
    this.output.destroy();
  }

  #join(source: Readable, stream: OutputChunk['stream']): void {
    source.pause();
    source.on('data', (bytes: Buffer) => {
      const wantsMore = this.output.push({ stream, bytes } satisfies OutputChunk);
      if (!wantsMore) for (const each of this.#sources) each.pause();
      this.#wait();
    });
    source.once('error', () => undefined);
    const closed = (): void => {
      this.#open -= 1;
      if (this.#open === 0) this.#end();
    };
    // A pipe without output may have ended already.
    if (source.closed) closed();
    else source.once('close', closed);
  }

  /** Restarts the timeout, unless the pipes are paused because the reader is slow. */
  #wait(): void {
    clearTimeout(this.#timer);
    if (!this.#isFinishing || this.#open <= 0 || this.#sources.some((source) => source.isPaused())) return;
    this.#timer = setTimeout(() => {
      for (const source of this.#sources) source.destroy();
    }, drainTimeout);
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.output.push(null);
  }
}
