import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import type { Lender } from '../../streams/lent-descriptor.js';
import { partInTime } from './body-limits.js';

/** Below that a body passes the parser sooner than it is lent. */
const smallest = 2 ** 20;

/** What Node has behind a socket. Its types do not tell. */
interface Handle {
  readonly fd: number;
  reading: boolean;
  readStart(): number;
  readStop(): number;
}

/** Node's parser of requests. At `onBody` is what gets the parts of a body, each in memory of its own. */
interface Parser {
  [onBody]: unknown;
  execute(bytes: Buffer): number | Error;
}

const onBody = 3;

type Inside = Socket & {
  readonly _handle?: Handle | null;
  readonly parser?: Parser | null;
  readonly _paused?: boolean;
};

export interface LendOptions {
  /** Milliseconds between two parts; 0 is without end. */
  readonly idle: number;
  /** What is left of the body will not be read. */
  lost(): void;
}

/**
 * How the socket of a request is lent whose body has a length: the parser would copy each part of it to new memory, of
 * which V8 notices only that it becomes much. The parser is told afterwards, with zeros, how far the body has gone, so
 * that the connection goes on as if it had read it.
 */
export function socketLender(request: IncomingMessage, { idle, lost }: LendOptions): Lender {
  return async (least, wants, signal) => {
    const length = Number(request.headers['content-length']);
    if (!(length >= smallest)) return undefined;
    await partInTime(arrival(request, least, signal), idle).catch((error: unknown) => {
      lost();
      throw error;
    });
    const socket: Inside = request.socket;
    const { _handle: handle, parser } = socket;
    if (handle === undefined || handle === null || parser === undefined || parser === null) return undefined;
    if (!isAsKnown(socket, handle, parser) || request.complete || request.readableDidRead) return undefined;
    // Whoever wants the socket to go on meanwhile has to wait: it is read elsewhere.
    handle.readStart = () => 0;
    handle.readStop();
    const goOn = (): void => {
      delete (handle as Partial<Handle>).readStart;
      if (socket.destroyed) return;
      handle.reading = true;
      handle.readStart();
    };
    const beginning = drain(request);
    if (!wants(beginning)) {
      request.unshift(beginning);
      goOn();
      return undefined;
    }
    return {
      descriptor: handle.fd,
      beginning,
      length: length - beginning.length,
      idle,
      async giveBack(taken) {
        if (taken === undefined) return lost();
        // Never from within the parser itself.
        await turn();
        if (socket.parser === parser && !skip(parser, taken)) socket.destroy();
        request.resume();
        goOn();
        // A connection that has ended is noticed before the request is answered.
        await turn();
        await turn();
      },
    };
  };
}

/** Waits until so many bytes of the body are there, or nothing more comes. */
function arrival(request: IncomingMessage, least: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (request.readableLength < least && !request.complete && !request.destroyed && signal?.aborted !== true) {
        request.read(0);
        return;
      }
      request.off('readable', look).off('close', look);
      signal?.removeEventListener('abort', look);
      resolve();
    };
    request.on('readable', look).on('close', look);
    signal?.addEventListener('abort', look, { once: true });
    look();
  });
}

/** Whether everything is where this version of Node has it. */
function isAsKnown(socket: Inside, handle: Handle, parser: Parser): boolean {
  const receives = parser[onBody];
  return (
    !socket.destroyed &&
    !(socket instanceof TLSSocket) &&
    socket._paused === false &&
    handle.fd >= 0 &&
    typeof handle.readStop === 'function' &&
    typeof receives === 'function' &&
    receives.name === 'parserOnBody'
  );
}

function drain(request: IncomingMessage): Buffer {
  const parts: Buffer[] = [];
  for (let part: Buffer | null = request.read(); part !== null; part = request.read()) parts.push(part);
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
}

/** Lets the parser go over so many bytes of a body, which nobody gets. */
function skip(parser: Parser, length: number): boolean {
  const zeros = Buffer.alloc(Math.min(length, 2 ** 20));
  const receives = parser[onBody];
  parser[onBody] = undefined;
  try {
    for (let left = length; left > 0; left -= zeros.length) {
      const some = zeros.subarray(0, left);
      if (parser.execute(some) !== some.length) return false;
    }
    return true;
  } finally {
    parser[onBody] = receives;
  }
}
