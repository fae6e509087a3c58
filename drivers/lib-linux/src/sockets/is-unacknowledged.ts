import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';
import { ipBytes } from './ip-address.js';

/**
 * Whether the kernel has sent something over a TCP connection again, because the other host has not acknowledged it: packets are
 * lost. A host that is merely busy acknowledges at once. False for a socket that is not connected, and where the kernel's table
 * of connections cannot be read.
 */
export async function isUnacknowledged(socket: Socket): Promise<boolean> {
  const { localAddress, localPort, remoteAddress, remoteFamily, remotePort } = socket;
  if (localAddress === undefined || remoteAddress === undefined) return false;
  const local = tableEntry(localAddress, localPort);
  const remote = tableEntry(remoteAddress, remotePort);
  const table = remoteFamily === 'IPv6' ? '/proc/net/tcp6' : '/proc/net/tcp';
  const text = await readTable(table);
  const ends = `${local} ${remote} `;
  const start = text.indexOf(ends); // the table may have thousands of lines
  if (start < 0) return false;
  // The state, bytes that are sent and received, the timer, how often packets were sent again, the user, how often the other host
  // was asked whether they may be sent.
  const line = text.slice(start + ends.length, text.indexOf('\n', start));
  const [, queues = '', , repeated = '', , asked = ''] = line.trim().split(/ +/);
  const isAttemptedAgain = Number.parseInt(repeated, 16) > 0 || Number(asked) > 0;
  return Number.parseInt(queues, 16) > 0 && isAttemptedAgain;
}

const reading = new Map<string, Promise<string>>();

/** Connections that ask at the same time share one reading. */
function readTable(table: string): Promise<string> {
  const present = reading.get(table);
  if (present !== undefined) return present;
  const text = readFile(table, 'latin1')
    .catch(() => '')
    .finally(() => reading.delete(table));
  reading.set(table, text);
  return text;
}

/** As the kernel writes it: words of four bytes in the processor's order, and the port. */
function tableEntry(address: string, port = 0): string {
  const bytes = ipBytes(address);
  if (endianness() === 'LE') bytes.swap32();
  return `${bytes.toString('hex')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}
