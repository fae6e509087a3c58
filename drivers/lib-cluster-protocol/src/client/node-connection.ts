import { type ClientHttp2Session, type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls';
import { withDeadline } from '@gantry/core/driver';
import { EngineError, unavailable } from '@gantry/core/errors';
import { PacketLoss } from '@gantry/lib-linux/tcp';
import { plainAddress } from '../addresses/host-address.js';
import type { NodeIdentity } from '../identity/node-identity.js';
import { managerName } from '../identity/peer.js';
import { afterFrames } from '../messages/after-frames.js';
import { parseErrorMessage } from '../messages/error-message.js';
import { readBody } from '../messages/read-body.js';
import { readLines } from '../messages/read-lines.js';
import { sendAll } from '../messages/send-all.js';
import { endWhenSilent } from './end-when-silent.js';
import { connectionError, lateError, reachManager } from './reach.js';
import { startSession } from './start-session.js';

interface ConnectOptions {
  /** A node that has not joined yet only has a root that it trusts. */
  readonly identity: NodeIdentity | Pick<NodeIdentity, 'trust'>;
  readonly signal?: AbortSignal;
  /** Milliseconds that a manager has to accept the connection once its host is reached, and acknowledges what is sent. */
  readonly acceptLimit?: number;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds. */
  readonly limit?: number;
}

/** Milliseconds. Managers accept a few connections at a time: a node may have to wait for many others. */
const usualAcceptLimit = 15_000;
/** Milliseconds for packets to arrive, and between two looks whether they have. */
const lossLimit = 5_000;
const lossInterval = 1_000;
/** Milliseconds until this kernel asks the manager's host whether it still has the connection. */
const keepAliveDelay = 1_000;
/** Milliseconds. */
export const leastPingInterval = 1_000;
const callLimit = 15_000;

/** A connection to a manager, whose certificate was checked. It ends when the manager is not heard of any more. */
export class NodeConnection {
  readonly #end = new AbortController();
  /** Aborts when the connection has ended. */
  readonly closed: AbortSignal = this.#end.signal;
  /** Milliseconds between two questions whether the manager is still there. */
  pingInterval = leastPingInterval;

  private constructor(
    private readonly session: ClientHttp2Session,
    readonly address: string,
    /** Whether TLS has resumed the session of an earlier connection. */
    readonly isResumed: boolean,
  ) {
    session.once('close', () => this.#end.abort(unavailable(`the connection to ${address} has ended`)));
    session.on('error', () => session.destroy()); // what waits on its streams is rejected
  }

  /** Rejects `unavailable` when the manager cannot be reached, or its certificate is not one of the swarm's managers. */
  static async open(
    address: string,
    { acceptLimit = usualAcceptLimit, identity, signal }: ConnectOptions,
  ): Promise<NodeConnection> {
    const error = lateError(address);
    try {
      const reached = await reachManager(address, signal);
      return await withDeadline({ milliseconds: acceptLimit, error, signal }, async (deadline) => {
        const { context, sessions } = shownBy(identity);
        const socket = connectTls({
          socket: reached,
          secureContext: context,
          servername: managerName,
          ALPNProtocols: ['h2'],
          session: sessions.get(address),
        });
        socket.on('session', (session) => sessions.set(address, session));
        const lost = untilLost(reached, error);
        const session = await startSession(address, socket, AbortSignal.any([deadline, lost.signal])).finally(lost.end);
        const connection = new NodeConnection(session, address, socket.isSessionReused());
        void endWhenSilent({ address, session, socket, pingInterval: () => connection.pingInterval });
        return connection;
      });
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      throw connectionError(address, cause);
    }
  }

  /** The address that this node is seen with. */
  get localAddress(): string {
    return plainAddress(this.session.socket?.localAddress);
  }

  /** Soon; what waits for an answer is rejected then. */
  close(): void {
    afterFrames(() => this.session.destroy());
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
      afterFrames(() => stream.close(constants.NGHTTP2_CANCEL));
    }
  }

  /** Sends bytes until they end, behind a message. Rejects as `call` does. */
  async upload(path: string, message: unknown, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    const stream = this.#request(path, headOf(message), signal);
    const answered = this.#answered(stream);
    answered.catch(() => undefined); // awaited below
    const closed = new AbortController();
    stream.once('close', () => closed.abort(unavailable(`the manager ${this.address} has ended the request`)));
    try {
      await sendAll(bytes, stream, closed.signal);
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
    const cancel = (): void => afterFrames(() => stream.destroy(signal.reason as Error));
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

interface ShownIdentity {
  /** To read keys and certificates takes as long as half a handshake. */
  readonly context: SecureContext;
  /** The newest session with each manager: to resume one saves the signatures of both sides. */
  readonly sessions: Map<string, Buffer>;
}

const shown = new WeakMap<ConnectOptions['identity'], ShownIdentity>();

/** What TLS needs of an identity, made once. */
function shownBy(identity: ConnectOptions['identity']): ShownIdentity {
  const known = shown.get(identity);
  if (known !== undefined) return known;
  const context = createSecureContext({
    ca: identity.trust,
    ...('key' in identity && { cert: identity.certificate, key: identity.key }),
    minVersion: 'TLSv1.3',
  });
  const made = { context, sessions: new Map<string, Buffer>() };
  shown.set(identity, made);
  return made;
}

/**
 * Aborts when packets of a connection that is not accepted yet are still lost after a while: the kernel waits longer and longer to
 * send them again. A manager that has ended the connection while it was cut off, or was started anew, does not say so by itself; its
 * kernel does when it is asked, and the connection fails.
 */
function untilLost(socket: Socket, message: string) {
  const lost = new AbortController();
  const loss = new PacketLoss(socket);
  const began = performance.now();
  const timer = setInterval(() => {
    if (loss.look() && performance.now() - began > lossLimit) lost.abort(unavailable(message));
  }, lossInterval);
  socket.setKeepAlive(true, keepAliveDelay);
  const end = (): void => {
    clearInterval(timer);
    socket.setKeepAlive(false); // from now on there are pings
  };
  return { signal: lost.signal, end };
}

const headOf = (message: unknown): Readonly<Record<string, string>> => ({ 'gantry-message': JSON.stringify(message) });

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
  stream.once('close', () => {
    // What has arrived before its end is still to be read.
    if (stream.readableEnded && !bytes.readableEnded) bytes.once('end', () => bytes.destroy());
    else bytes.destroy();
  });
  return bytes;
}
