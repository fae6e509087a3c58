import { Agent, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

/** Bytes of a chunk, as Go's clients send them. */
const chunkSize = 32 * 1024;

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += chunkSize) yield bytes.subarray(start, start + chunkSize);
}

interface Call {
  /** Bytes are sent as they are, objects as JSON. */
  readonly body?: object | Buffer;
  readonly type?: string;
  /** The body is sent in chunks, without its length, as clients do that do not know it. */
  readonly isChunked?: boolean;
  /** Of the API; 1.24 by default. */
  readonly version?: string;
}

/** An engine under measurement, over keep-alive connections of its own. */
export class Engine {
  readonly #agent: Agent;

  constructor(
    readonly name: string,
    readonly socket: string,
    /** The daemon's process id; without it memory is not measured. */
    readonly pid: number | undefined,
    /** Requests at a time; more wait. */
    connections = 64,
  ) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** Resolves to the JSON response. Rejects with the engine's message for an error. */
  async ask<T>(method: string, path: string, call: Call = {}): Promise<T> {
    const text = (await this.bytes(method, path, call)).toString();
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  async bytes(method: string, path: string, call: Call = {}): Promise<Buffer> {
    return buffer(await this.open(method, path, call));
  }

  /** Reads a response and discards it; resolves to its length in bytes. */
  async drain(path: string, call: Call = {}): Promise<number> {
    let length = 0;
    for await (const chunk of await this.open('GET', path, call)) length += (chunk as Buffer).length;
    return length;
  }

  /** The caller reads the response to its end. */
  open(
    method: string,
    path: string,
    { body, type, isChunked = false, version = '1.24' }: Call = {},
  ): Promise<IncomingMessage> {
    const payload = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    const contentType = type ?? (payload === undefined ? undefined : 'application/json');
    return new Promise((resolve, reject) => {
      const sent = request({
        agent: this.#agent,
        socketPath: this.socket,
        method,
        path: `/v${version}${path}`,
        headers: {
          ...(contentType !== undefined && { 'Content-Type': contentType }),
          ...(isChunked
            ? { 'Transfer-Encoding': 'chunked' }
            : method !== 'GET' && { 'Content-Length': payload?.length ?? 0 }),
        },
      });
      sent.once('error', reject);
      sent.once('response', (response: IncomingMessage) => {
        const { statusCode = 0 } = response;
        if (statusCode < 400) resolve(response);
        else buffer(response).then((text) => reject(new Error(`${method} ${path}: ${statusCode} ${text}`)), reject);
      });
      if (isChunked && payload !== undefined) pipeline(Readable.from(slices(payload)), sent).catch(reject);
      else sent.end(payload);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
