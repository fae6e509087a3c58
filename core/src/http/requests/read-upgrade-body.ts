import { once } from 'node:events';
import type { Socket } from 'node:net';
import { invalidArgument } from '../../errors/engine-error.js';
import { bodyTooLarge } from '../parsing/body-limits.js';

/** Bytes taken off a socket by hand: what is looked at next, and more of it when it is not enough. */
class Cursor {
  constructor(
    readonly socket: Socket,
    private buffered: Buffer,
  ) {}

  /** The next `length` bytes. */
  async take(length: number): Promise<Buffer> {
    while (this.buffered.length < length) await this.#more();
    const taken = this.buffered.subarray(0, length);
    this.buffered = this.buffered.subarray(length);
    return taken;
  }

  /** The next line, without its end. */
  async line(): Promise<string> {
    for (;;) {
      const end = this.buffered.indexOf('\r\n');
      if (end >= 0) return (await this.take(end + 2)).toString('latin1', 0, end);
      if (this.buffered.length > 4096) throw invalidArgument('malformed request: a line of the body is too long');
      await this.#more();
    }
  }

  /** Returns what lies behind the body to the socket: it is the first of the raw stream. */
  unread(): void {
    if (this.buffered.length > 0) this.socket.unshift(this.buffered);
  }

  async #more(): Promise<void> {
    const chunk: Buffer | null = this.socket.read();
    if (chunk !== null) {
      this.buffered = this.buffered.length === 0 ? chunk : Buffer.concat([this.buffered, chunk]);
    } else if (this.socket.readableEnded || this.socket.destroyed) {
      throw invalidArgument('the body of the request ended early');
    } else {
      await readableOrOver(this.socket);
    }
  }
}

/**
 * Reads the body of a request whose connection Node no longer parses: a POST with `Upgrade` carries its body behind
 * the head, and raw input may follow it at once.
 */
export async function readUpgradeBody(
  socket: Socket,
  head: Buffer,
  headers: NodeJS.Dict<string | string[]>,
  limit: number,
): Promise<Buffer> {
  const cursor = new Cursor(socket, head);
  const body = /(^|,)\s*chunked\s*$/i.test(String(headers['transfer-encoding'] ?? ''))
    ? await readChunks(cursor, limit)
    : await readLength(cursor, Number(headers['content-length'] ?? 0), limit);
  cursor.unread();
  return body;
}

function readLength(cursor: Cursor, length: number, limit: number): Promise<Buffer> {
  if (length > limit) throw bodyTooLarge(limit);
  return cursor.take(length);
}

async function readChunks(cursor: Cursor, limit: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let total = 0;
  for (;;) {
    const size = /^([\da-f]{1,8})\s*(?:;.*)?$/i.exec(await cursor.line())?.[1];
    if (size === undefined) throw invalidArgument('malformed request: the size of a chunk is not a number');
    const length = Number.parseInt(size, 16);
    if (length === 0) break;
    total += length;
    if (total > limit) throw bodyTooLarge(limit);
    parts.push(await cursor.take(length));
    if ((await cursor.line()) !== '') throw invalidArgument('malformed request: a chunk is longer than its size');
  }
  while ((await cursor.line()) !== ''); // trailers
  return Buffer.concat(parts);
}

async function readableOrOver(socket: Socket): Promise<void> {
  const over = new AbortController();
  const options = { signal: over.signal };
  try {
    await Promise.race([
      once(socket, 'readable', options),
      once(socket, 'end', options),
      once(socket, 'close', options),
    ]);
  } catch (cause) {
    throw invalidArgument('the body of the request ended early', { cause });
  } finally {
    over.abort();
  }
}
