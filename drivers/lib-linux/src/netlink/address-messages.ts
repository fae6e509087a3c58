import { AF_INET, AF_INET6 } from '../ffi/constants.js';
import { ipBytes, ipPrefix, ipText } from '../sockets/ip-address.js';
import { BodyWriter, readAttributes } from './attributes.js';
import * as rt from './constants.js';
import type { Address, NewAddress } from './netlink.js';

/** `struct ifaddrmsg` */
function writeHeader(body: BodyWriter, family: number, prefixLength: number, index: number): void {
  const header = body.header(8);
  header.writeUInt8(family, 0);
  header.writeUInt8(prefixLength, 1);
  header.writeUInt32LE(index, 4);
}

export function addressDumpBody(index: number): Buffer {
  const body = new BodyWriter();
  writeHeader(body, 0, 0, index);
  return body.written;
}

export function addressBody(index: number, { address, broadcast, noDad }: NewAddress): Buffer {
  const { bytes, length } = ipPrefix(address);
  const family = bytes.length === 4 ? AF_INET : AF_INET6;
  const body = new BodyWriter();
  writeHeader(body, family, length, index);
  body.bytes(rt.IFA_LOCAL, bytes).bytes(rt.IFA_ADDRESS, bytes);
  if (broadcast !== undefined) body.bytes(rt.IFA_BROADCAST, ipBytes(broadcast));
  else if (family === AF_INET && length < 31) body.bytes(rt.IFA_BROADCAST, lastAddress(bytes, length));
  if (noDad === true) body.u32(rt.IFA_FLAGS, rt.IFA_F_NODAD);
  return body.written;
}

function lastAddress(bytes: Buffer, length: number): Buffer {
  const last = Buffer.alloc(4);
  // A shift by 32 would be one by 0, but a prefix of 0 bits has no broadcast worth the name.
  last.writeUInt32BE((bytes.readUInt32BE() | (length === 0 ? 0xffffffff : 0xffffffff >>> length)) >>> 0);
  return last;
}

const scopes: Readonly<Record<number, Address['scope']>> = {
  0: 'global',
  200: 'site',
  253: 'link',
  254: 'host',
  255: 'nowhere',
};

export function readAddress(bytes: Buffer): Address | undefined {
  const family = bytes.readUInt8(0);
  const attributes = readAttributes(bytes.subarray(8));
  const address = attributes.get(rt.IFA_LOCAL) ?? attributes.get(rt.IFA_ADDRESS);
  if (address === undefined) return undefined;
  const flags = attributes.get(rt.IFA_FLAGS)?.readUInt32LE() ?? bytes.readUInt8(2);
  const broadcast = attributes.get(rt.IFA_BROADCAST);
  return {
    link: bytes.readUInt32LE(4),
    family: family === AF_INET6 ? 'ipv6' : 'ipv4',
    address: `${ipText(address)}/${bytes.readUInt8(1)}`,
    broadcast: broadcast === undefined ? undefined : ipText(broadcast),
    scope: scopes[bytes.readUInt8(3)] ?? 'global',
    tentative: (flags & rt.IFA_F_TENTATIVE) !== 0,
  };
}
