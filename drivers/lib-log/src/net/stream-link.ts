import type { Socket } from 'node:net';
import { settlesWithin } from '@gantry/core/driver';
import { messageOf, unavailable } from '@gantry/core/errors';

/** Milliseconds for a server to accept a connection, and to read what it is sent. */
const connectTimeout = 5000;
const writeTimeout = 30_000;

export interface StreamLinkOptions {
  /** Name of the server in messages. */
  readonly name: string;
  /** Starts to connect. */
  connect(): Promise<Socket> | Socket;
  /** The event of a socket that is ready: `secureConnect` for TLS. */
  readonly readyEvent?: string;
  /** Gets what the server sends, which is otherwise ignored. */
  onData?(chunk: Buffer): void;
  /** A connection has ended. */
  onClose?(): void;
}

/** A connection to a log server, opened on first use and reopened when it is lost. */
export class StreamLink {
  #socket: Socket | undefined;

  constructor(private readonly options: StreamLinkOptions) {}

  get isOpen(): boolean {
    return this.#socket !== undefined;
  }

  /** Connects unless connected. Rejects `unavailable`. */
  async connect(signal: AbortSignal): Promise<void> {
    if (this.#socket !== undefined) return;
    const { name, readyEvent = 'connect', onData, onClose } = this.options;
    const socket = await this.options.connect();
    let failure: Error | undefined;
    // A connection lost between two writes is noticed by the next one.
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
    const isInTime = await settlesWithin(ready, connectTimeout, { signal }).catch(() => false);
    if (!isInTime || failure !== undefined || socket.destroyed) {
      socket.destroy();
      const reason = failure === undefined ? 'no answer' : messageOf(failure);
      throw unavailable(`cannot connect to ${name}: ${reason}`, { cause: failure });
    }
    socket.setKeepAlive(true, 60_000);
    this.#socket = socket;
  }

  /** Resolves when the kernel has accepted everything. Rejects `unavailable`, and then drops the connection. */
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
    await settlesWithin(written, writeTimeout, { signal }).catch(() => false);
    if (isWritten && !failure) return;
    this.drop();
    const reason = failure ? messageOf(failure) : 'it does not read';
    throw unavailable(`cannot write to ${this.options.name}: ${reason}`, { cause: failure });
  }

  /** Drops the connection immediately. */
  drop(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  /** Closes the connection, gracefully if the server takes part before the signal aborts. */
  async close(signal: AbortSignal): Promise<void> {
    const socket = this.#socket;
    if (socket === undefined) return;
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => resolve());
    });
    socket.end();
    await settlesWithin(closed, connectTimeout, { signal }).catch(() => false);
    this.drop();
  }
}
