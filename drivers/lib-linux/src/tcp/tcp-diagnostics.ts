import type { Socket } from 'node:net';
import { LinuxError } from '../errors/linux-error.js';
import { AF_INET, AF_INET6 } from '../ffi/constants.js';
import { readAttributes } from '../netlink/attributes.js';
import { NetlinkTransport } from '../netlink/netlink-transport.js';
import { ipBytes } from '../sockets/ip-address.js';

/** Numbers of sock_diag(7), named as in the kernel's headers. */
const NETLINK_SOCK_DIAG = 4;
const SOCK_DIAG_BY_FAMILY = 20;
const IPPROTO_TCP = 6;
const INET_DIAG_INFO = 2;
/** `struct inet_diag_req_v2` */
const requestBytes = 56;
const everyState = 0xffffffff;
const anyCookie = 0xffffffff;
/** `struct inet_diag_msg`, before the attributes. */
const messageBytes = 72;

/** The other end has closed the connection: nothing more arrives but what has arrived already. */
const TCP_CLOSE_WAIT = 8;

export interface TcpState {
  /** The other end has closed the connection. */
  readonly isClosedByPeer: boolean;
  /** Bytes that wait for the other host to acknowledge them, or to be sent. */
  readonly waiting: number;
  /** Bytes that it has acknowledged. */
  readonly acknowledged: bigint;
  /** How often the first of those that wait were sent again, or the other host was asked whether they may be. */
  readonly attempts: number;
  /** Milliseconds after which the kernel takes a packet for lost. */
  readonly timeout: number;
}

/**
 * The kernel's view of a connection. Undefined for a socket that is not connected, and when the kernel does not say: it may lack
 * diagnostics of sockets. Asks for this connection alone, since a host may have thousands.
 */
export function tcpState(socket: Socket): TcpState | undefined {
  const body = questionAbout(socket);
  if (body === undefined) return undefined;
  let transport: NetlinkTransport | undefined;
  try {
    transport = new NetlinkTransport(NETLINK_SOCK_DIAG);
    return transport.get({ type: SOCK_DIAG_BY_FAMILY, flags: 0, body, about: 'connection' }, stateIn);
  } catch (error) {
    if (error instanceof LinuxError) return undefined;
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
  body.writeUInt8(1 << (INET_DIAG_INFO - 1), 2);
  body.writeUInt32LE(everyState, 4);
  body.writeUInt16BE(localPort, 8);
  body.writeUInt16BE(remotePort, 10);
  body.set(ipBytes(localAddress), 12);
  body.set(ipBytes(remoteAddress), 28);
  body.writeUInt32LE(anyCookie, 48);
  body.writeUInt32LE(anyCookie, 52);
  return body;
}

/** Of `struct inet_diag_msg` the state and the length of the queue, the rest of `struct tcp_info`. */
function stateIn(answer: Buffer): TcpState | undefined {
  const info = readAttributes(answer.subarray(messageBytes)).get(INET_DIAG_INFO);
  if (info === undefined) return undefined; // it ends at this moment
  return {
    isClosedByPeer: answer.readUInt8(1) === TCP_CLOSE_WAIT,
    waiting: answer.readUInt32LE(60),
    acknowledged: info.readBigUInt64LE(120),
    attempts: info.readUInt8(2) + info.readUInt8(3),
    timeout: info.readUInt32LE(8) / 1000,
  };
}
