import { randomBytes } from 'node:crypto';

/** Bytes of a datagram, and how many of them a message may be. */
const datagramBytes = 1420;
const headerBytes = 12;
const mostChunks = 128;
const magic = Buffer.from([0x1e, 0x0f]);

/** A message as datagrams; undefined when it is too large to be sent so. */
export function datagramsOf(message: Buffer): Buffer[] | undefined {
  if (message.length <= datagramBytes) return [message];
  const room = datagramBytes - headerBytes;
  const count = Math.ceil(message.length / room);
  if (count > mostChunks) return undefined;
  const id = randomBytes(8);
  return Array.from({ length: count }, (_, index) =>
    Buffer.concat([magic, id, Buffer.from([index, count]), message.subarray(index * room, (index + 1) * room)]),
  );
}
