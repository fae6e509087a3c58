import { AF_UNIX } from '../ffi/constants.js';

/** Longest path of a socket, in bytes, with the byte that ends it. */
const pathBytes = 108;

/** The structure connect(2) and bind(2) take; undefined when the path is too long for it. */
export function unixAddress(path: string): Buffer | undefined {
  const bytes = Buffer.from(path);
  if (bytes.length >= pathBytes) return undefined;
  const address = Buffer.alloc(2 + pathBytes);
  address.writeUInt16LE(AF_UNIX);
  bytes.copy(address, 2);
  return address;
}
