import { isIPv4, isIPv6 } from 'node:net';

/** The bytes of an address: 4 or 16. Throws TypeError naming what is not one. */
export function ipBytes(text: string): Buffer {
  if (isIPv4(text)) return Buffer.from(text.split('.').map(Number));
  if (isIPv6(text)) return ipv6Bytes(text.split('%', 1)[0] ?? text);
  throw new TypeError(`"${text}" is not an IP address`);
}

function ipv6Bytes(text: string): Buffer {
  const [head = '', tail] = text.split('::');
  const front = groupBytes(head);
  const back = tail === undefined ? [] : groupBytes(tail);
  return Buffer.from([...front, ...new Array<number>(16 - front.length - back.length).fill(0), ...back]);
}

function groupBytes(text: string): readonly number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number);
    const number = Number.parseInt(group, 16);
    return [number >> 8, number & 0xff];
  });
}

/** The text of 4 or 16 bytes, IPv6 in its shortest form. */
export function ipText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const groups = Array.from({ length: 8 }, (_, index) => view.getUint16(index * 2).toString(16));
  const zeros = longestZeros(groups);
  if (zeros.length < 2) return groups.join(':');
  return `${groups.slice(0, zeros.start).join(':')}::${groups.slice(zeros.start + zeros.length).join(':')}`;
}

function longestZeros(groups: readonly string[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (const [index, group] of groups.entries()) {
    if (group !== '0') start = index + 1;
    else if (index + 1 - start > best.length) best = { start, length: index + 1 - start };
  }
  return best;
}

export interface IpPrefix {
  readonly bytes: Buffer;
  readonly length: number;
}

/** `10.0.0.0/8`; without a length it is the whole address. */
export function ipPrefix(text: string): IpPrefix {
  const [address = '', length] = text.split('/');
  const bytes = ipBytes(address);
  const bits = length === undefined ? bytes.length * 8 : Number(length);
  if (!Number.isInteger(bits) || bits < 0 || bits > bytes.length * 8 || length === '') {
    throw new TypeError(`"${text}" is not an IP address with a prefix length`);
  }
  return { bytes, length: bits };
}
