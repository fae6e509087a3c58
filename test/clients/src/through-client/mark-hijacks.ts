import { once } from 'node:events';
import type { Socket } from 'node:net';

const hijacking = /^POST (?:\/v[\d.]+)?\/(?:containers\/[^/]+\/attach|exec\/[^/]+\/start)(?:\?\S*)? HTTP\/1\.1\r\n/;

/**
 * Reads the head of a connection's first request, and returns the bytes to the socket. One that takes the connection for raw bytes
 * without asking by `Upgrade`, as clients before API 1.28 do, is marked and gets that header: Node's server gives away the
 * connections of such requests only.
 */
export async function markHijacks(socket: Socket): Promise<void> {
  let head = Buffer.alloc(0);
  while (!head.includes('\r\n\r\n') && head.length < 16_384 && !socket.readableEnded && !socket.destroyed) {
    const part = socket.read() as Buffer | null;
    if (part === null) await Promise.race([once(socket, 'readable'), once(socket, 'end'), once(socket, 'close')]);
    else head = Buffer.concat([head, part]);
  }
  const text = head.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const isMarked = end >= 0 && hijacking.test(text) && !/\r\nupgrade:/i.test(text.slice(0, end));
  const marked = isMarked
    ? `${text.slice(0, end).replaceAll(/\r\nconnection:[^\r]*/gi, '')}\r\nX-Marked: 1\r\nConnection: Upgrade\r\nUpgrade: tcp${text.slice(end)}`
    : text;
  if (marked.length > 0) socket.unshift(Buffer.from(marked, 'latin1'));
}
