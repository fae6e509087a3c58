import type { Http2Server, IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import { drained } from '@gantry/core/streams';
import type { Type } from 'protobufjs';
import { decodeFrames, encodeFrame } from './frames.js';
import { GrpcError, toGrpcError } from './grpc-error.js';

/** One call of a client. */
export interface ServerCall<F> {
  readonly headers: IncomingHttpHeaders;
  /** Aborts when the client cancelled the call or is gone. */
  readonly signal: AbortSignal;
  /** What `serve` was given with the connection. */
  readonly connection: F;
}

export type Method<F> = MessageMethod<F> | StreamMethod<F>;

/** A method that takes one message. It answers with one, or with as many as it yields. */
interface MessageMethod<F> {
  readonly request: Type;
  readonly response: Type;
  readonly handle: (message: never, call: ServerCall<F>) => Promise<object> | AsyncIterable<object>;
}

/** A method with messages both ways. */
interface StreamMethod<F> {
  readonly request: Type;
  readonly response: Type;
  readonly exchange: (messages: AsyncIterable<object>, call: ServerCall<F>) => AsyncIterable<object>;
}

const decoding = { longs: Number, defaults: true, arrays: true, objects: true } as const;

/** Serves gRPC on connections that are already open. */
export class GrpcServer<F> {
  readonly #server: Http2Server;
  readonly #connections = new Map<ServerHttp2Session, F>();

  constructor(
    createServer: typeof import('node:http2').createServer,
    /** By path, such as `/package.Service/Method`. */
    private readonly methods: ReadonlyMap<string, Method<F>>,
  ) {
    this.#server = createServer({
      settings: { initialWindowSize: 2 ** 20, maxConcurrentStreams: 256 },
      maxSendHeaderBlockLength: 2 ** 21, // details of errors hold whole build files
    });
    this.#server.on('stream', (stream, headers) => void this.#answer(stream, headers));
    this.#server.on('sessionError', () => undefined); // the close that follows is what counts
  }

  /** Serves a connection until it closes. */
  async serve(socket: Duplex, facts: F): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      socket.once('close', resolve);
    });
    const onSession = (session: ServerHttp2Session): void => {
      this.#connections.set(session, facts);
      session.once('close', () => this.#connections.delete(session));
    };
    // The event of the session is emitted while the connection is handed over.
    this.#server.once('session', onSession);
    this.#server.emit('connection', socket);
    this.#server.off('session', onSession);
    await closed;
  }

  async #answer(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    const cancel = new AbortController();
    stream.on('error', () => cancel.abort());
    stream.on('close', () => cancel.abort());
    try {
      const method = this.methods.get(headers[':path'] ?? '');
      const connection = stream.session && this.#connections.get(stream.session as ServerHttp2Session);
      if (method === undefined || connection === undefined) {
        throw new GrpcError('unimplemented', `unknown method ${headers[':path'] ?? ''}`);
      }
      const call = { headers, signal: cancel.signal, connection };
      const messages = await resultsOf(method, stream, call);
      for await (const item of messages) {
        if (stream.destroyed) return;
        begin(stream);
        const frame = encodeFrame(method.response.encode(method.response.fromObject(item)).finish());
        if (!stream.write(frame)) await drained(stream);
      }
      finish(stream, undefined);
    } catch (error) {
      finish(stream, toGrpcError(error));
    }
  }
}

async function resultsOf<F>(
  method: Method<F>,
  stream: ServerHttp2Stream,
  call: ServerCall<F>,
): Promise<AsyncIterable<object>> {
  if ('exchange' in method) {
    begin(stream); // the client waits for the head before it sends anything
    return method.exchange(readAll(stream, method.request), call);
  }
  const result = method.handle((await readOne(stream, method.request)) as never, call);
  return Symbol.asyncIterator in result ? result : single(result);
}

async function* readAll(stream: ServerHttp2Stream, type: Type): AsyncGenerator<object> {
  for await (const bytes of decodeFrames(stream)) yield type.toObject(type.decode(bytes), decoding);
}

async function* single(result: Promise<object>): AsyncGenerator<object> {
  yield await result;
}

async function readOne(stream: ServerHttp2Stream, type: Type): Promise<object> {
  let message: object | undefined;
  for await (const bytes of decodeFrames(stream)) {
    if (message !== undefined) throw new GrpcError('internal', 'the method takes one message');
    message = type.toObject(type.decode(bytes), decoding);
  }
  if (message === undefined) throw new GrpcError('internal', 'the call has no message');
  return message;
}

const head = { ':status': 200, 'content-type': 'application/grpc' } as const;

function begin(stream: ServerHttp2Stream): void {
  if (!stream.headersSent) stream.respond(head, { waitForTrailers: true });
}

/** Ends the call with its status, behind the messages that were sent. */
function finish(stream: ServerHttp2Stream, error: GrpcError | undefined): void {
  if (stream.destroyed || stream.closed) return;
  const status = {
    'grpc-status': String(error?.number ?? 0),
    ...(error !== undefined && { 'grpc-message': encodeURIComponent(error.message) }),
    ...(error?.status !== undefined && {
      'grpc-status-details-bin': Buffer.from(error.status).toString('base64').replace(/=+$/, ''),
    }),
  };
  if (!stream.headersSent && error !== undefined) {
    stream.respond({ ...head, ...status }, { endStream: true });
    return;
  }
  stream.once('wantTrailers', () => stream.sendTrailers(status));
  begin(stream);
  stream.end();
}
