import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface Call {
  /** Sent as JSON, or as it is when it is bytes. */
  readonly body?: object | Buffer;
  readonly type?: string;
}

/** An engine under measurement, over its own kept connections. */
export class Engine {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });

  constructor(
    readonly name: string,
    private readonly socket: string,
    /** Of the daemon; memory is measured only when it is known. */
    readonly pid: number | undefined,
  ) {}

  /** The answer as JSON. Rejects with the engine's words for an error. */
  async ask<T>(method: string, path: string, call: Call = {}): Promise<T> {
    const text = (await this.bytes(method, path, call)).toString();
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  async bytes(method: string, path: string, call: Call = {}): Promise<Buffer> {
    return buffer(await this.open(method, path, call));
  }

  /** Reads an answer to its end without keeping it; resolves to its length in bytes. */
  async drain(path: string): Promise<number> {
    let length = 0;
    for await (const chunk of await this.open('GET', path)) length += (chunk as Buffer).length;
    return length;
  }

  /** The caller reads the answer to its end. */
  open(method: string, path: string, { body, type }: Call = {}): Promise<IncomingMessage> {
    const payload = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    const contentType = type ?? (payload === undefined ? undefined : 'application/json');
    return new Promise((resolve, reject) => {
      const asking = request({
        agent: this.#agent,
        socketPath: this.socket,
        method,
        path: `/v1.24${path}`,
        headers: {
          ...(contentType !== undefined && { 'Content-Type': contentType }),
          ...(method !== 'GET' && { 'Content-Length': payload?.length ?? 0 }),
        },
      });
      asking.once('error', reject);
      asking.once('response', (answer: IncomingMessage) => {
        if ((answer.statusCode ?? 0) < 400) resolve(answer);
        else
          buffer(answer).then((text) => reject(new Error(`${method} ${path}: ${answer.statusCode} ${text}`)), reject);
      });
      asking.end(payload);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
