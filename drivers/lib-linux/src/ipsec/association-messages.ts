import { AF_INET, AF_INET6 } from '../ffi/constants.js';
import { BodyWriter } from '../netlink/attributes.js';
import { ipBytes, ipText } from '../sockets/ip-address.js';
import { addressBytes, IPPROTO_ESP, selectorBytes, XFRM_MODE_TRANSPORT, XFRMA_ALG_AEAD } from './constants.js';
import type { NewSecurityAssociation, SecurityAssociation } from './ipsec.js';

/** `struct xfrm_usersa_info` */
const infoBytes = 224;
const idOffset = selectorBytes;
const sourceOffset = 80;
const lifetimeOffset = 96;
const requestIdOffset = 208;
const familyOffset = 212;
const modeOffset = 214;

const algorithm = 'rfc4106(gcm(aes))';
const algorithmNameBytes = 64;
const authenticationBits = 128;

const familyNumberOf = (address: string): number => (address.includes(':') ? AF_INET6 : AF_INET);

/** No limit of bytes and packets: the driver that made the association replaces it. */
export function writeUnlimited(header: Buffer, offset: number): void {
  header.fill(0xff, offset, offset + 4 * 8);
}

export function associationBody(association: NewSecurityAssociation): Buffer {
  const { destination, key, requestId, source, spi } = association;
  const body = new BodyWriter();
  const header = body.header(infoBytes);
  writeId(header, destination, spi);
  ipBytes(source).copy(header, sourceOffset);
  writeUnlimited(header, lifetimeOffset);
  header.writeUInt32LE(requestId, requestIdOffset);
  header.writeUInt16LE(familyNumberOf(source), familyOffset);
  header.writeUInt8(XFRM_MODE_TRANSPORT, modeOffset);
  body.bytes(XFRMA_ALG_AEAD, cipher(key));
  return body.written;
}

/** `struct xfrm_usersa_id` */
export function associationIdBody({ destination, spi }: Pick<SecurityAssociation, 'destination' | 'spi'>): Buffer {
  const body = Buffer.alloc(24);
  ipBytes(destination).copy(body);
  body.writeUInt32BE(spi, addressBytes);
  body.writeUInt16LE(familyNumberOf(destination), addressBytes + 4);
  body.writeUInt8(IPPROTO_ESP, addressBytes + 6);
  return body;
}

/** Undefined for an association of another kind. */
export function readAssociation(body: Buffer): SecurityAssociation | undefined {
  if (body.length < infoBytes || body.readUInt8(idOffset + addressBytes + 4) !== IPPROTO_ESP) return undefined;
  const length = body.readUInt16LE(familyOffset) === AF_INET6 ? 16 : 4;
  const address = (offset: number): string => ipText(body.subarray(offset, offset + length));
  return {
    source: address(sourceOffset),
    destination: address(idOffset),
    spi: body.readUInt32BE(idOffset + addressBytes),
    requestId: body.readUInt32LE(requestIdOffset),
  };
}

function writeId(header: Buffer, destination: string, spi: number): void {
  ipBytes(destination).copy(header, idOffset);
  header.writeUInt32BE(spi, idOffset + addressBytes);
  header.writeUInt8(IPPROTO_ESP, idOffset + addressBytes + 4);
}

/** `struct xfrm_algo_aead` */
function cipher(key: Uint8Array): Buffer {
  const bytes = Buffer.alloc(algorithmNameBytes + 8 + key.length);
  bytes.write(algorithm);
  bytes.writeUInt32LE(key.length * 8, algorithmNameBytes);
  bytes.writeUInt32LE(authenticationBits, algorithmNameBytes + 4);
  bytes.set(key, algorithmNameBytes + 8);
  return bytes;
}
