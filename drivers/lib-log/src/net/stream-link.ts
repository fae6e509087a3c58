import type { Socket } from 'node:net';
import { messageOf, unavailable } from '@gantry/core/errors';

/** How long a server may take to accept, and to take what it is sent, in milliseconds. */
const connectPatience = 5000;
const writePatience = 30_000;

export interface StreamLinkOptions {
  /** What the server is called in messages. */
  readonly name: string;
  /** Begins to connect. */
  connect(): Promise<Socket> | Socket;
  /** The event of a socket that is ready: `secureConnect` for TLS. */
  readonly readyEvent?: string;
  /** What the server sends; it is read and dropped without. */
  onData?(chunk: Buffer): void;
  /** A connection has ended. */
  onClose?(): void;
}

/** A connection to a log server that is made when it is needed, and again when it was lost. */
export class StreamLink {
  #socket: Socket | undefined;

  constructor(private readonly options: StreamLinkOptions) {}

  get isOpen(): boolean {
    return this.#socket !== undefined;
  }

  /** Connects if need be. Rejects `unavailable`. */
  async connect(signal: AbortSignal): Promise<void> {
    if (this.#socket !== undefined) return;
    const { name, readyEvent = 'connect', onData, onClose } = this.options;
    const socket = await this.options.connect();
    let failure: Error | undefined;
    // A server that goes away between two writes is noticed by the next.
    socket.on('error', (error) => {
      failure ??= error;
    });
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = undefined;
      onClose?.();
    });
    socket.on('end', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => onData?.(chunk));
    const ready = new Promise<void>((resolve) => {
      socket.once(readyEvent, resolve);
      socket.once('close', resolve);
    });
    const isInTime = await within(connectPatience, signal, ready);
    if (!isInTime || failure !== undefined || socket.destroyed) {
      socket.destroy();
      const reason = failure === undefined ? 'no answer' : messageOf(failure);
      throw unavailable(`cannot connect to ${name}: ${reason}`, { cause: failure });
    }
    socket.setKeepAlive(true, 60_000);
    this.#socket = socket;
  }

  /** Resolves when the kernel has all of it. Rejects `unavailable`; then the connection is given up. */
  async send(bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    await this.connect(signal);
    const socket = this.#socket;
    if (socket === undefined) throw unavailable(`${this.options.name} has closed the connection`);
    let failure: Error | null | undefined;
    let isWritten = false;
    const written = new Promise<void>((resolve) => {
      socket.write(bytes, (error) => {
        failure = error;
        isWritten = true;
        resolve();
      });
    });
    await within(writePatience, signal, written);
    if (isWritten && !failure) return;
    this.drop();
    const reason = failure ? messageOf(failure) : 'it does not read';
    throw unavailable(`cannot write to ${this.options.name}: ${reason}`, { cause: failure });
  }

  /** Gives the connection up at once. */
  drop(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  /** Ends the connection, in good order if the server goes along within the signal. */
  async close(signal: AbortSignal): Promise<void> {
    const socket = this.#socket;
    if (socket === undefined) return;
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => resolve());
    });
    socket.end();
    await within(connectPatience, signal, closed);
    this.drop();
  }
}

/** Waits, but not for longer than so many milliseconds or an abort. @returns whether the promise has settled. */
export async function within(patience: number, signal: AbortSignal, promise: Promise<unknown>): Promise<boolean> {
  if (signal.aborted) return false;
  let stop = () => {};
  const stopped = new Promise<false>((resolve) => {
    const timer = setTimeout(() => resolve(false), patience);
    const abort = () => resolve(false);
    signal.addEventListener('abort', abort, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
  });
  try {
    return await Promise.race([promise.then(() => true), stopped]);
  } finally {
    stop();
  }
}
