import type { Writable } from 'node:stream';
import { conflict } from '@gantry/core/errors';
import { writableTo } from '@gantry/lib-linux/launcher';
import type { SeqpacketConnection } from '@gantry/lib-linux/seqpacket';

/** The writing side of a process's stdin. */
export interface Stdin {
  /** Rejects `conflict` when it is closed, by either side. */
  write(bytes: Uint8Array): Promise<void>;
  /** Twice: resolves. */
  end(): Promise<void>;
  /** Releases it at once, without an end of file. */
  close(): void;
}

const closed = () => conflict('stdin is closed');

/** For a process that was started without a stdin. */
export const noStdin: Stdin = {
  write: () => Promise.reject(conflict('stdin is not open: the process was created without it')),
  end: () => Promise.resolve(),
  close: () => undefined,
};

/** For a process whose stdin was closed before. */
export const closedStdin: Stdin = { ...noStdin, write: () => Promise.reject(closed()) };

/** What a monitor's terminal takes at once. */
const terminalPacket = 8 * 1024;

/** The stdin of a terminal: only the monitor has it, so the bytes go through its socket. */
export class TerminalStdin implements Stdin {
  #ended = false;

  constructor(
    private readonly connection: SeqpacketConnection,
    private readonly staysOpen: boolean,
  ) {}

  async write(bytes: Uint8Array): Promise<void> {
    for (let start = 0; start < bytes.length; start += terminalPacket) {
      if (this.#ended) throw closed();
      await written(this.connection, bytes.subarray(start, start + terminalPacket));
    }
  }

  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    if (!this.staysOpen) this.connection.end();
  }

  close(): void {
    this.#ended = true;
  }
}

/**
 * The stdin of a process without a terminal: the pipe itself. Where a monitor has it, it is opened a second time beside
 * the monitor's own end: going through the monitor would cost a copy, and a monitor that has bytes for a process that
 * has closed its stdin tries again for ever without a pause. The process sees the end of the file when all ends that
 * write are closed.
 */
export class PipeStdin implements Stdin {
  readonly #pipe: Writable;
  #ended = false;

  /** Owns the descriptor. `endOthers` makes the other process that has the pipe open close it. */
  constructor(
    fd: number,
    private readonly endOthers: () => void = () => undefined,
  ) {
    this.#pipe = writableTo(fd);
    // The write that failed reports it.
    this.#pipe.on('error', () => undefined);
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#ended) throw closed();
    await written(this.#pipe, bytes);
  }

  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    if (!this.#pipe.destroyed) {
      await new Promise<void>((resolve) => {
        this.#pipe.once('close', resolve);
        this.#pipe.end(() => this.#pipe.destroy());
      });
    }
    this.endOthers();
  }

  close(): void {
    this.#ended = true;
    this.#pipe.destroy();
  }
}

/** Settles when the bytes have been taken, which is never said for a stream that was destroyed meanwhile. */
function written(stream: Writable, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    if (stream.destroyed || stream.writableEnded) {
      reject(closed());
      return;
    }
    const onClose = (): void => reject(closed());
    stream.once('close', onClose);
    stream.write(bytes, (error) => {
      stream.off('close', onClose);
      // A pipe that is destroyed calls what it has not written a success.
      if (stream.destroyed || (error !== null && error !== undefined)) reject(closed());
      else resolve();
    });
  });
}
