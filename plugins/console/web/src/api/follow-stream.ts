import { ApiError } from './api-error';
import { JsonLines } from './json-lines';
import { type Query, send, urlOf } from './request';

interface StreamOptions {
  readonly query?: Query | undefined;
  readonly signal: AbortSignal;
  /** Called when the engine has accepted the request. */
  readonly connected?: () => void;
}

interface Head {
  readonly status: number;
  readonly message?: string;
}

/** Acknowledges a message, so that the console sends no more than can be shown. */
const read = new Uint8Array(1);
const complete = 1000;

/**
 * Reads an answer of the engine that goes on for long, and resolves at its end. It comes by a WebSocket, of which every
 * tab can have its own: browsers open six connections for the requests of all tabs.
 */
export function followStream(
  path: string,
  { query, signal, connected }: StreamOptions,
  receive: (chunk: Uint8Array) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const address = new URL(urlOf(path, query), location.href);
    address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(address);
    socket.binaryType = 'arraybuffer';
    let head: Head | undefined;
    const leave = (reason: unknown): void => {
      reject(reason);
      socket.close();
    };
    const abort = (): void => leave(signal.reason);
    signal.addEventListener('abort', abort);
    socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
      if (signal.aborted) return;
      try {
        if (head !== undefined) receive(new Uint8Array(data));
        else {
          head = JSON.parse(new TextDecoder().decode(data)) as Head;
          if (head.status !== 200) leave(new ApiError(head.status, head.message ?? String(head.status)));
          else connected?.();
        }
        if (socket.readyState === WebSocket.OPEN) socket.send(read);
      } catch (error) {
        leave(error);
      }
    };
    socket.onclose = ({ code }) => {
      signal.removeEventListener('abort', abort);
      if (head === undefined) whyRefused().then(reject, reject);
      else if (code === complete) resolve();
      else reject(new ApiError(0, 'the connection to the engine broke'));
    };
  });
}

/** A browser does not say why a WebSocket was refused: a request for the session does. */
async function whyRefused(): Promise<ApiError> {
  await send('/session');
  return new ApiError(426, 'WebSockets do not reach the console; a proxy in between has to pass them on');
}

/** Calls `receive` with each JSON value of an answer that goes on. */
export async function followJsonLines<T>(
  path: string,
  options: StreamOptions,
  receive: (value: T) => void,
): Promise<void> {
  const lines = new JsonLines(receive);
  await followStream(path, options, (chunk) => lines.push(chunk));
  lines.end();
}
