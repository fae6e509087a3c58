import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';
import type { Duplex } from 'node:stream';
import { drained } from '@gantry/core/streams';
import type { Type } from 'protobufjs';
import { decodeFrames, encodeFrame } from './frames.js';
import { GrpcError } from './grpc-error.js';

/** The types of a method's messages. */
export interface MethodTypes {
  readonly request: Type;
  readonly response: Type;
}

/** Metadata of a call; a name may have several values. */
export type Metadata = Readonly<Record<string, string | readonly string[]>>;

interface CallOptions {
  readonly metadata?: Metadata;
  readonly signal: AbortSignal;
}

/** Bytes that the other side may send ahead of all calls together: the default of 64 KiB makes a transfer wait for each. */
const connectionWindow = 4 * 2 ** 20;

const decoding = { longs: Number, defaults: true, arrays: true, objects: true } as const;

/** Calls methods of the process at the other end of a connection. */
export class GrpcClient {
  readonly #session: ClientHttp2Session;

  constructor(connect: typeof import('node:http2').connect, socket: Duplex) {
    const settings = { initialWindowSize: 2 ** 20, enablePush: false };
    this.#session = connect('http://session', {
      createConnection: () => socket,
      settings,
      maxSendHeaderBlockLength: 16 * 2 ** 20, // patterns of a large ignore file
    });
    this.#session.on('error', () => undefined); // fails the calls, which report it
    this.#session.once('connect', () => this.#session.setLocalWindowSize(connectionWindow));
  }

  get isClosed(): boolean {
    return this.#session.closed || this.#session.destroyed;
  }

  close(): void {
    this.#session.destroy();
  }

  /** Sends one message and resolves to the one that answers it. */
  async unary(path: string, types: MethodTypes, message: object, options: CallOptions): Promise<object> {
    const call = this.stream(path, types, options);
    call.send(message);
    call.end();
    let answer: object | undefined;
    for await (const item of call.messages()) answer ??= item;
    if (answer === undefined) throw new GrpcError('internal', `${path} was answered without a message`);
    return answer;
  }

  /** Opens a call with messages both ways. */
  stream(path: string, types: MethodTypes, { metadata = {}, signal }: CallOptions): ClientCall {
    signal.throwIfAborted();
    if (this.isClosed) throw new GrpcError('unavailable', 'the session of the client is closed');
    const stream = this.#session.request(
      {
        ...(metadata as OutgoingHttpHeaders),
        ':method': 'POST',
        ':path': path,
        'content-type': 'application/grpc',
        te: 'trailers',
      },
      { endStream: false },
    );
    return new ClientCall(stream, types, signal);
  }
}

/** A call that is under way. */
export class ClientCall {
  readonly #status: Promise<GrpcError | undefined>;

  constructor(
    private readonly stream: ClientHttp2Stream,
    private readonly types: MethodTypes,
    private readonly signal: AbortSignal,
  ) {
    const cancel = (): void => void stream.destroy();
    signal.addEventListener('abort', cancel, { once: true });
    let status: IncomingHttpHeaders = {};
    stream.on('response', (headers) => {
      status = { ...status, ...headers };
    });
    stream.on('trailers', (headers) => {
      status = { ...status, ...headers };
    });
    this.#status = new Promise((resolve) => {
      stream.on('error', () => undefined);
      stream.once('close', () => {
        signal.removeEventListener('abort', cancel);
        resolve(errorOf(status));
      });
    });
  }

  /** Sends a message without waiting for the other side to read it. */
  send(message: object): void {
    this.sendAll([message]);
  }

  /** Sends messages at once, without waiting for the other side to read them. */
  sendAll(messages: readonly object[]): void {
    if (this.stream.destroyed) return;
    const { request } = this.types;
    const frames = messages.map((message) => encodeFrame(request.encode(request.fromObject(message)).finish()));
    this.stream.write(Buffer.concat(frames));
  }

  /** Sends a message. Resolves when the other side reads fast enough for the next one, or has ended the call. */
  async write(message: object): Promise<void> {
    this.send(message);
    await drained(this.stream);
  }

  /** No more messages follow from this side. */
  end(): void {
    if (!this.stream.destroyed) this.stream.end();
  }

  /** Cancels the call unless it is complete. */
  cancel(): void {
    this.stream.destroy();
  }

  /** The messages of the other side. @throws GrpcError when the call ends with an error. */
  async *messages(): AsyncGenerator<object, void, undefined> {
    const { response } = this.types;
    try {
      for await (const bytes of decodeFrames(this.stream)) yield response.toObject(response.decode(bytes), decoding);
    } catch (error) {
      this.signal.throwIfAborted();
      if (error instanceof GrpcError) throw error;
    }
    const error = await this.#status;
    this.signal.throwIfAborted();
    if (error !== undefined) throw error;
  }
}

function errorOf(headers: IncomingHttpHeaders): GrpcError | undefined {
  const status = headers['grpc-status'];
  if (status === '0') return undefined;
  if (status === undefined) return new GrpcError('unavailable', 'the client closed its session');
  const details = headers['grpc-status-details-bin'];
  return new GrpcError(
    Number(status),
    decodeMessage(String(headers['grpc-message'] ?? '')),
    typeof details === 'string' ? { status: Buffer.from(details, 'base64') } : {},
  );
}

/** Bytes that are not printable are written as in an address. */
function decodeMessage(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // not encoded after all
  }
}
