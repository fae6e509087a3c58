import { Readable } from 'node:stream';
import type { OutputChunk, TaskStreams } from '@gantry/core/contracts';
import { conflict } from '@gantry/core/errors';
import type { MemoryProcess } from './memory-process.js';
import type { StreamName } from './spool.js';

/** What becomes of stdin when a connection ends it or goes. */
type StdinEnd = 'closes' | 'stays';

/** One connection to a process's streams. */
export class MemoryStreams implements TaskStreams {
  readonly output: Readable & AsyncIterable<OutputChunk>;
  #isClosed = false;
  #stdinEnded = false;
  #drained: () => void = () => undefined;

  constructor(
    private readonly process: MemoryProcess,
    private readonly stdinEnd: StdinEnd,
    private readonly onClose: () => void,
  ) {
    this.output = new Readable({
      objectMode: true,
      read: () => this.#drained(),
      destroy: (error, done) => {
        this.close();
        done(error);
      },
    });
  }

  /** Resolves when the reader wants more, or has gone. */
  async send(stream: StreamName, bytes: Uint8Array): Promise<void> {
    if (this.#isClosed) return;
    const wantsMore = this.output.push({ stream, bytes: Uint8Array.from(bytes) } satisfies OutputChunk);
    if (wantsMore) return;
    await new Promise<void>((resolve) => {
      this.#drained = resolve;
    });
  }

  /** The process has closed its output. */
  finish(): void {
    if (!this.#isClosed) this.output.push(null);
  }

  async writeStdin(bytes: Uint8Array): Promise<void> {
    const { stdin } = this.process;
    if (stdin === undefined) throw conflict('stdin is not open: the process was created without it');
    await stdin.write(bytes, () => this.#isClosed || this.#stdinEnded || this.process.hasEnded);
  }

  async endStdin(): Promise<void> {
    this.#stdinEnded = true;
    if (this.stdinEnd === 'closes') this.process.stdin?.end();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.stdinEnd === 'closes') this.process.stdin?.end();
    this.process.stdin?.wake();
    this.#drained();
    this.output.destroy();
    this.onClose();
  }
}
