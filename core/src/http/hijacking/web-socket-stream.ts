import { Duplex } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { RawData, WebSocket } from 'ws';

/**
 * The messages of a WebSocket as a stream of bytes. What is written leaves as messages, binary or text; the end of
 * the stream closes the socket, and the client's close ends the stream.
 */
export class WebSocketStream extends Duplex {
  readonly #socket: WebSocket;
  /** For text messages: keeps a character whole that was cut between two chunks. */
  readonly #decoder: StringDecoder | undefined;

  constructor(socket: WebSocket, options: { readonly binary: boolean }) {
    super();
    this.#socket = socket;
    this.#decoder = options.binary ? undefined : new StringDecoder('utf8');
    socket.on('message', (data) => {
      if (!this.push(bytesOf(data))) socket.pause();
    });
    socket.on('close', () => {
      this.push(null);
      this.end();
    });
    socket.on('error', (error) => this.destroy(error));
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    if (this.#socket.readyState === this.#socket.OPEN) {
      this.#socket.send(this.#decoder?.write(chunk) ?? chunk, (error) => callback(error));
    } else {
      callback(); // The client has closed: what it no longer reads is dropped.
    }
  }

  override _final(callback: (error?: Error | null) => void): void {
    this.#socket.close(1000);
    callback();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (this.#socket.readyState !== this.#socket.CLOSED) this.#socket.terminate();
    callback(error);
  }
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
