import { AF_INET, AF_INET6 } from '../ffi/constants.js';
import { BodyWriter, readAttributes } from '../netlink/attributes.js';
import { ipBytes, ipText } from '../sockets/ip-address.js';
import { writeUnlimited } from './association-messages.js';
import {
  addressBytes,
  IPPROTO_ESP,
  IPPROTO_UDP,
  selectorBytes,
  XFRM_MODE_TRANSPORT,
  XFRM_POLICY_IN,
  XFRM_POLICY_OUT,
  XFRMA_TMPL,
} from './constants.js';
import type { ProtectionPolicy } from './ipsec.js';

/** `struct xfrm_userpolicy_info` */
const infoBytes = 168;
const directionOffset = 160;
/** `struct xfrm_userpolicy_id` */
const idBytes = 64;
const idDirectionOffset = 60;
/** `struct xfrm_user_tmpl` */
const templateBytes = 64;
const templateFamilyOffset = 24;
const templateRequestIdOffset = 44;

const portOffset = 2 * addressBytes;
const familyOffset = portOffset + 8;
const protocolOffset = familyOffset + 4;

const directions = { in: XFRM_POLICY_IN, out: XFRM_POLICY_OUT } as const;
const families = { ipv4: AF_INET, ipv6: AF_INET6 } as const;

export function policyBody(policy: ProtectionPolicy): Buffer {
  const body = new BodyWriter();
  const header = body.header(infoBytes);
  writeSelector(header, policy);
  writeUnlimited(header, selectorBytes);
  header.writeUInt8(directions[policy.direction], directionOffset);
  body.bytes(XFRMA_TMPL, template(policy));
  return body.written;
}

export function policyIdBody(policy: ProtectionPolicy): Buffer {
  const body = Buffer.alloc(idBytes);
  writeSelector(body, policy);
  body.writeUInt8(directions[policy.direction], idDirectionOffset);
  return body;
}

/** Undefined for a policy of another form. */
export function readPolicy(body: Buffer): ProtectionPolicy | undefined {
  if (body.length < infoBytes || body.readUInt8(protocolOffset) !== IPPROTO_UDP) return undefined;
  const direction = body.readUInt8(directionOffset);
  const required = readAttributes(body.subarray(infoBytes)).get(XFRMA_TMPL);
  if ((direction !== XFRM_POLICY_IN && direction !== XFRM_POLICY_OUT) || required?.length !== templateBytes) {
    return undefined;
  }
  const isIpv6 = body.readUInt16LE(familyOffset) === AF_INET6;
  const length = isIpv6 ? 16 : 4;
  const address = (offset: number): string => ipText(body.subarray(offset, offset + length));
  return {
    direction: direction === XFRM_POLICY_IN ? 'in' : 'out',
    family: isIpv6 ? 'ipv6' : 'ipv4',
    ...(body.readUInt8(familyOffset + 3) > 0 && { source: address(addressBytes) }),
    ...(body.readUInt8(familyOffset + 2) > 0 && { destination: address(0) }),
    destinationPort: body.readUInt16BE(portOffset),
    requestId: required.readUInt32LE(templateRequestIdOffset),
  };
}

/** `struct xfrm_selector` */
function writeSelector(header: Buffer, { destination, destinationPort, family, source }: ProtectionPolicy): void {
  const bits = family === 'ipv6' ? 128 : 32;
  if (destination !== undefined) ipBytes(destination).copy(header, 0);
  if (source !== undefined) ipBytes(source).copy(header, addressBytes);
  header.writeUInt16BE(destinationPort, portOffset);
  header.writeUInt16BE(0xffff, portOffset + 2);
  header.writeUInt16LE(families[family], familyOffset);
  header.writeUInt8(destination === undefined ? 0 : bits, familyOffset + 2);
  header.writeUInt8(source === undefined ? 0 : bits, familyOffset + 3);
  header.writeUInt8(IPPROTO_UDP, protocolOffset);
}

/** What protects the packets: ESP between their own addresses, with any cipher of the request's associations. */
function template({ family, requestId }: ProtectionPolicy): Buffer {
  const bytes = Buffer.alloc(templateBytes);
  bytes.writeUInt8(IPPROTO_ESP, addressBytes + 4);
  bytes.writeUInt16LE(families[family], templateFamilyOffset);
  bytes.writeUInt32LE(requestId, templateRequestIdOffset);
  bytes.writeUInt8(XFRM_MODE_TRANSPORT, templateRequestIdOffset + 4);
  bytes.fill(0xff, 52);
  return bytes;
}
