import { AF_BRIDGE, AF_INET, AF_INET6 } from '../ffi/constants.js';
import { ipBytes, ipText } from '../sockets/ip-address.js';
import { BodyWriter, macBytes, macText, readAttributes } from './attributes.js';
import * as rt from './constants.js';
import type { Neighbour, NeighbourChange } from './netlink.js';

/** `struct ndmsg` */
function writeHeader(body: BodyWriter, family: number, index: number, state = 0, flags = 0): void {
  const header = body.header(12);
  header.writeUInt8(family, 0);
  header.writeInt32LE(index, 4);
  header.writeUInt16LE(state, 8);
  header.writeUInt8(flags, 10);
}

/** Of every link: the kernel's filter by link is by attribute, and by another one for each table. */
export function neighbourDumpBody(table: 'arp' | 'bridge'): Buffer {
  const body = new BodyWriter();
  writeHeader(body, table === 'bridge' ? AF_BRIDGE : 0, 0);
  return body.written;
}

export function neighbourBody(index: number, neighbour: NeighbourChange): Buffer {
  const address = neighbour.address === undefined ? undefined : ipBytes(neighbour.address);
  const body = new BodyWriter();
  if (neighbour.table === 'bridge') {
    // An entry with an address is the VXLAN's own, one without is of the bridge the link is a port of.
    const owner = address === undefined ? rt.NTF_MASTER : rt.NTF_SELF;
    writeHeader(body, AF_BRIDGE, index, rt.NUD_PERMANENT, owner);
  } else {
    if (address === undefined) throw new TypeError('a neighbour of the arp table needs an address');
    writeHeader(body, address.length === 4 ? AF_INET : AF_INET6, index, rt.NUD_PERMANENT);
  }
  if (address !== undefined) body.bytes(rt.NDA_DST, address);
  body.bytes(rt.NDA_LLADDR, macBytes(neighbour.macAddress));
  return body.written;
}

export function readNeighbour(bytes: Buffer): Neighbour {
  const attributes = readAttributes(bytes.subarray(12));
  const address = attributes.get(rt.NDA_DST);
  return {
    link: bytes.readInt32LE(4),
    address: address === undefined ? undefined : ipText(address),
    macAddress: macText(attributes.get(rt.NDA_LLADDR)),
    permanent: (bytes.readUInt16LE(8) & rt.NUD_PERMANENT) !== 0,
  };
}
