import { Duplex } from 'node:stream';

type WriteCallback = (error?: Error | null) => void;

/**
 * One end of a connection within the process. It behaves as a Unix socket does where Node's HTTP server and client look:
 * each direction ends by itself, and writing to an end that was closed fails with EPIPE.
 */
export class MemorySocket extends Duplex {
  #peer: MemorySocket | undefined;
  /** Written, and not with the peer yet. */
  #leaving: { readonly chunk: Buffer; readonly callback: WriteCallback } | undefined;
  /** Continues the peer once this end has read what it wrote. */
  #onRead: ((error?: Error) => void) | undefined;

  private constructor() {
    super({ allowHalfOpen: true });
  }

  /** The two ends of a new connection. */
  static pair(): readonly [MemorySocket, MemorySocket] {
    const [left, right] = [new MemorySocket(), new MemorySocket()];
    left.#peer = right;
    right.#peer = left;
    return [left, right];
  }

  override _read(): void {
    const onRead = this.#onRead;
    this.#onRead = undefined;
    // Not at once: the peer would write from within this end's read.
    if (onRead !== undefined) setImmediate(onRead);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: WriteCallback): void {
    const peer = this.#peer;
    if (peer === undefined || peer.destroyed) callback(brokenPipe());
    else if (chunk.length === 0) callback();
    // Not at once: requests one after the other would leave no turn to timers, files and sockets of the process.
    else {
      this.#leaving = { chunk, callback };
      setImmediate(() => this.#deliver());
    }
  }

  #deliver(): void {
    const leaving = this.#leaving;
    this.#leaving = undefined;
    if (leaving === undefined) return;
    const peer = this.#peer;
    if (peer === undefined || peer.destroyed) leaving.callback(brokenPipe());
    else peer.#receive(leaving.chunk, leaving.callback);
  }

  override _final(callback: (error?: Error | null) => void): void {
    const peer = this.#peer;
    if (peer !== undefined) peer.#end();
    callback();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#deliver(); // what was written leaves, as on a socket
    const peer = this.#peer;
    const onRead = this.#onRead;
    this.#peer = undefined;
    this.#onRead = undefined;
    onRead?.(brokenPipe());
    // As the kernel does it: the other end finds out, but not within this call.
    if (peer !== undefined) setImmediate(() => peer.#end());
    callback(error);
  }

  /** Closes it when everything written has left, as `net.Socket` does. */
  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  /** Nothing is ever late within a process. */
  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  #receive(chunk: Buffer, callback: (error?: Error | null) => void): void {
    // The writer may use its memory again, and a reader may transfer its own to another thread.
    const own = Buffer.allocUnsafeSlow(chunk.length);
    chunk.copy(own);
    if (this.push(own)) callback();
    else this.#onRead = callback;
  }

  #end(): void {
    if (!this.destroyed && !this.readableEnded) this.push(null);
  }
}

const brokenPipe = (): Error => Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
