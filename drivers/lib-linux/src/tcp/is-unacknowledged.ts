import type { Socket } from 'node:net';
import { LinuxError } from '../errors/linux-error.js';
import { AF_INET, AF_INET6 } from '../ffi/constants.js';
import { NetlinkTransport } from '../netlink/netlink-transport.js';
import { ipBytes } from '../sockets/ip-address.js';

/** Numbers of sock_diag(7), named as in the kernel's headers. */
const NETLINK_SOCK_DIAG = 4;
const SOCK_DIAG_BY_FAMILY = 20;
const IPPROTO_TCP = 6;
/** `struct inet_diag_req_v2` */
const requestBytes = 56;
const everyState = 0xffffffff;
const anyCookie = 0xffffffff;

/**
 * Whether the kernel has sent something over a TCP connection again, because the other host has not acknowledged it: packets are
 * lost. A host that is merely busy acknowledges at once. False for a socket that is not connected, and when the kernel does not
 * say: it may lack diagnostics of sockets. Asks for this connection alone, since a host may have thousands.
 */
export function isUnacknowledged(socket: Socket): boolean {
  const body = questionAbout(socket);
  if (body === undefined) return false;
  let transport: NetlinkTransport | undefined;
  try {
    transport = new NetlinkTransport(NETLINK_SOCK_DIAG);
    return transport.get({ type: SOCK_DIAG_BY_FAMILY, flags: 0, body, about: 'connection' }, isAttemptedAgain);
  } catch (error) {
    if (error instanceof LinuxError) return false;
    throw error;
  } finally {
    transport?.close();
  }
}

function questionAbout(socket: Socket): Buffer | undefined {
  const { localAddress, localPort = 0, remoteAddress, remoteFamily, remotePort = 0 } = socket;
  if (localAddress === undefined || remoteAddress === undefined) return undefined;
  const body = Buffer.alloc(requestBytes);
  body.writeUInt8(remoteFamily === 'IPv6' ? AF_INET6 : AF_INET, 0);
  body.writeUInt8(IPPROTO_TCP, 1);
  body.writeUInt32LE(everyState, 4);
  body.writeUInt16BE(localPort, 8);
  body.writeUInt16BE(remotePort, 10);
  body.set(ipBytes(localAddress), 12);
  body.set(ipBytes(remoteAddress), 28);
  body.writeUInt32LE(anyCookie, 48);
  body.writeUInt32LE(anyCookie, 52);
  return body;
}

/**
 * Of `struct inet_diag_msg`: how often packets were sent again, or the other host was asked whether they may be sent; and how many
 * bytes it has not acknowledged.
 */
const isAttemptedAgain = (answer: Buffer): boolean => answer.readUInt8(3) > 0 && answer.readUInt32LE(60) > 0;
