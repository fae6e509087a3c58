import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2';
import { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { connect as connectSocket } from 'node:tls';
import { withDeadline } from '@gantry/core/driver';
import { EngineError, unavailable } from '@gantry/core/errors';
import { HostAddress, plainAddress } from '../addresses/host-address.js';
import type { NodeIdentity } from '../identity/node-identity.js';
import { managerName } from '../identity/peer.js';
import { parseErrorMessage } from '../messages/error-message.js';
import { readBody } from '../messages/read-body.js';
import { readLines } from '../messages/read-lines.js';

interface ConnectOptions {
  readonly trust: string;
  /** Absent before the node has joined. */
  readonly identity?: NodeIdentity;
  readonly signal?: AbortSignal;
  /** Ends a connection whose other end has not been heard of for some seconds, or whose own address this host has lost. */
  readonly keepAlive?: boolean;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds. */
  readonly limit?: number;
}

const connectLimit = 5_000;
/**
 * Milliseconds for the first packet of a connection to be answered, which the manager's kernel does. After one that was lost the
 * next is due a second later, and then two, three and four: a node that could be reached again would wait for it.
 */
const reachLimit = 500;
const callLimit = 15_000;
/** Milliseconds between two pings, and how many the other end may leave unanswered. */
const pingInterval = 1_000;
const mostUnanswered = 3;

/** A connection to a manager, whose certificate was checked. */
export class NodeConnection {
  readonly #end = new AbortController();
  /** Aborts when the connection has ended. */
  readonly closed: AbortSignal = this.#end.signal;

  private constructor(
    private readonly session: ClientHttp2Session,
    readonly address: string,
  ) {
    session.once('close', () => this.#end.abort(unavailable(`the connection to ${address} has ended`)));
    session.on('error', () => session.destroy()); // what waits on its streams is rejected
  }

  /** Rejects `unavailable` when the manager cannot be reached, or its certificate is not one of the swarm's managers. */
  static async open(address: string, { identity, keepAlive, signal, trust }: ConnectOptions): Promise<NodeConnection> {
    const { hostname, port } = new URL(`https://${address}`);
    const socket = connectSocket({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port),
      ca: trust,
      ...(identity !== undefined && { cert: identity.certificate, key: identity.key }),
      servername: managerName,
      minVersion: 'TLSv1.3',
      ALPNProtocols: ['h2'],
    });
    const unreached = setTimeout(() => {
      if (socket.connecting) socket.destroy(new Error('no packet came back'));
    }, reachLimit);
    const session = connect(`https://${address}`, { createConnection: () => socket });
    try {
      const error = `the manager ${address} did not answer in time`;
      await withDeadline({ milliseconds: connectLimit, error, signal }, (deadline) =>
        once(session, 'connect', { signal: deadline }),
      );
      if (keepAlive === true) endWhenSilent(session);
      return new NodeConnection(session, address);
    } catch (cause) {
      session.on('error', () => undefined); // reported already
      session.destroy();
      // The session would wait until it is connected.
      socket.destroy();
      if (signal?.aborted) throw signal.reason;
      throw EngineError.is(cause)
        ? cause
        : unavailable(`cannot connect to the manager ${address}: ${(cause as Error).message}`, { cause });
    } finally {
      clearTimeout(unreached);
    }
  }

  /** The address that this node is seen with. */
  get localAddress(): string {
    return plainAddress(this.session.socket?.localAddress);
  }

  close(): void {
    this.session.destroy();
  }

  /** Rejects as the manager does, and `unavailable` when the connection ends or the limit is over. */
  async call(path: string, body: unknown, { limit = callLimit, signal }: CallOptions = {}): Promise<unknown> {
    const error = `the manager ${this.address} did not answer ${path} in time`;
    return withDeadline({ milliseconds: limit, error, signal }, async (deadline) => {
      const stream = this.#request(path, {}, deadline);
      stream.end(JSON.stringify(body));
      await this.#answered(stream);
      return JSON.parse(await readBody(stream));
    });
  }

  /** The values that the manager sends, until the signal aborts. Throws as `call` rejects. */
  async *stream(path: string, body: unknown, signal: AbortSignal): AsyncGenerator<unknown> {
    const stream = this.#request(path, {}, signal);
    try {
      stream.end(JSON.stringify(body));
      await this.#answered(stream);
      yield* readLines(stream);
      // A stream that the end of the connection cuts off ends without an error.
      if (this.session.destroyed) throw unavailable(`the connection to ${this.address} has ended`);
    } finally {
      stream.close(constants.NGHTTP2_CANCEL);
    }
  }

  /** Sends bytes until they end, behind a message. Rejects as `call` does. */
  async upload(path: string, message: unknown, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    const stream = this.#request(path, headOf(message), signal);
    const answered = this.#answered(stream);
    answered.catch(() => undefined); // awaited below
    try {
      await pipeline(bytes, stream, { end: true, signal });
    } catch (error) {
      await answered; // the manager's error says more
      throw error;
    }
    await answered;
    await readBody(stream);
  }

  /** A connection of bytes in both directions. Rejects as `call` does. */
  async tunnel(path: string, message: unknown, signal: AbortSignal): Promise<Duplex> {
    const stream = this.#request(path, headOf(message), signal);
    await this.#answered(stream);
    return inBytes(stream);
  }

  #request(path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): ClientHttp2Stream {
    signal.throwIfAborted();
    if (this.closed.aborted || this.session.destroyed) throw unavailable(`the connection to ${this.address} has ended`);
    const stream = this.session.request({
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: path,
      ...headers,
    });
    stream.on('error', () => undefined); // reads of the stream are rejected with it
    const cancel = (): void => void stream.destroy(signal.reason as Error);
    signal.addEventListener('abort', cancel, { once: true });
    stream.once('close', () => signal.removeEventListener('abort', cancel));
    return stream;
  }

  /** Resolves at the head of an answer without an error. */
  async #answered(stream: ClientHttp2Stream): Promise<void> {
    const [headers] = await new Promise<[IncomingHttpHeaders]>((resolve, reject) => {
      stream.once('response', (head) => resolve([head]));
      stream.once('error', (cause) =>
        reject(EngineError.is(cause) ? cause : unavailable(`the connection to ${this.address} broke`, { cause })),
      );
      stream.once('close', () => reject(unavailable(`the connection to ${this.address} has ended`)));
    });
    if ((headers[constants.HTTP2_HEADER_STATUS] as unknown) === 200) return;
    throw parseErrorMessage(await readBody(stream));
  }
}

const headOf = (message: unknown): Readonly<Record<string, string>> => ({ 'gantry-message': JSON.stringify(message) });

/** A connection that a partition has cut stays open for minutes otherwise. */
function endWhenSilent(session: ClientHttp2Session): void {
  let unanswered = 0;
  const address = new HostAddress(plainAddress(session.socket?.localAddress));
  const timer = setInterval(() => {
    if (session.destroyed || unanswered === mostUnanswered || address.isLost()) return session.destroy();
    unanswered += 1;
    session.ping((error) => {
      if (error === null) unanswered = 0;
    });
  }, pingInterval);
  timer.unref();
  session.once('close', () => clearInterval(timer));
}

/** Streams of HTTP/2 garble text in the encoding that HTTP/1 writes heads in; a stream of its own makes bytes of it before. */
function inBytes(stream: ClientHttp2Stream): Duplex {
  const bytes = new Duplex({
    read: () => void stream.resume(),
    write: (chunk: Buffer, _encoding, done) => void stream.write(chunk, done),
    final: (done) => void stream.end(done),
    destroy(error, done) {
      stream.destroy();
      done(error);
    },
  });
  stream.on('data', (chunk: Buffer) => {
    if (!bytes.push(chunk)) stream.pause();
  });
  stream.once('end', () => bytes.push(null));
  stream.once('close', () => bytes.destroy());
  return bytes;
}
