import {
  AF_INET,
  AF_INET6,
  AF_UNIX,
  IPPROTO_IPV6,
  IPV6_V6ONLY,
  SO_PEERCRED,
  SO_REUSEADDR,
  SOCK_CLOEXEC,
  SOCK_DGRAM,
  SOCK_NONBLOCK,
  SOCK_STREAM,
  SOL_SOCKET,
} from '../ffi/constants.js';
import { kernelNamespaces } from '../namespaces/kernel-namespaces.js';
import { closeDescriptor } from '../system-calls/close-descriptor.js';
import { SystemCall } from '../system-calls/system-call.js';
import { ipBytes } from './ip-address.js';
import type { OpenSocket, PeerCredentials, SocketAddress, Sockets } from './sockets.js';

const socket = new SystemCall<[number, number, number]>('socket', 'int', ['int', 'int', 'int']);
const bind = new SystemCall<[number, Uint8Array, number]>('bind', 'int', ['int', 'void *', 'uint']);
const connect = new SystemCall<[number, Uint8Array, number]>('connect', 'int', ['int', 'void *', 'uint']);
const listen = new SystemCall<[number, number]>('listen', 'int', ['int', 'int']);
const optionTypes = ['int', 'int', 'int', 'void *', 'uint'];
const setsockopt = new SystemCall<[number, number, number, Int32Array, number]>('setsockopt', 'int', optionTypes);
const withLength = ['int', 'int', 'int', 'void *', 'void *'];
const getsockopt = new SystemCall<[number, number, number, Int32Array, Int32Array]>('getsockopt', 'int', withLength);
const getsockname = new SystemCall<[number, Uint8Array, Int32Array]>('getsockname', 'int', ['int', 'void *', 'void *']);

/** `struct sockaddr_un`. */
const unixAddressLength = 110;

function bindUdp(address: SocketAddress): OpenSocket {
  return openBound(address, SOCK_DGRAM, () => undefined);
}

function listenTcp(address: SocketAddress, options: { readonly backlog?: number } = {}): OpenSocket {
  return openBound(address, SOCK_STREAM, (fd, name) => {
    listen.call(name, fd, options.backlog ?? 511);
  });
}

function openBound(address: SocketAddress, type: number, prepare: (fd: number, name: string) => void): OpenSocket {
  const { namespace } = address;
  const open = (): OpenSocket => {
    const bytes = ipBytes(address.address);
    const family = bytes.length === 4 ? AF_INET : AF_INET6;
    const name = family === AF_INET ? `${address.address}:${address.port}` : `[${address.address}]:${address.port}`;
    const fd = socket.call(name, family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    try {
      const on = Int32Array.of(1);
      if (type === SOCK_STREAM) setsockopt.call(name, fd, SOL_SOCKET, SO_REUSEADDR, on, 4);
      if (family === AF_INET6) setsockopt.call(name, fd, IPPROTO_IPV6, IPV6_V6ONLY, on, 4);
      const structure = socketAddress(bytes, family, address.port);
      bind.call(name, fd, structure, structure.length);
      prepare(fd, name);
      return { fd, port: boundPort(fd) };
    } catch (error) {
      closeDescriptor(fd);
      throw error;
    }
  };
  return namespace === undefined ? open() : kernelNamespaces.runInNetwork(namespace, open);
}

function socketAddress(bytes: Buffer, family: number, port: number): Buffer {
  const structure = Buffer.alloc(family === AF_INET ? 16 : 28);
  structure.writeUInt16LE(family, 0);
  structure.writeUInt16BE(port, 2);
  bytes.copy(structure, family === AF_INET ? 4 : 8);
  return structure;
}

function boundPort(fd: number): number {
  const structure = Buffer.alloc(28);
  getsockname.call(undefined, fd, structure, Int32Array.of(structure.length));
  return structure.readUInt16BE(2);
}

function peerCredentials(fd: number): PeerCredentials {
  const credentials = new Int32Array(3);
  getsockopt.call(undefined, fd, SOL_SOCKET, SO_PEERCRED, credentials, Int32Array.of(12));
  const [pid = 0, uid = 0, gid = 0] = credentials;
  return { pid, uid: uid >>> 0, gid: gid >>> 0 };
}

function abstractListener(name: string): PeerCredentials | undefined {
  const bytes = Buffer.from(`\0${name}`);
  const structure = Buffer.alloc(unixAddressLength);
  structure.writeUInt16LE(AF_UNIX, 0);
  bytes.copy(structure, 2);
  const fd = socket.call(name, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  try {
    // Node 20 binds names padded with zeroes, which are other names.
    for (const length of [2 + bytes.length, unixAddressLength]) {
      if (connect.attempt(fd, structure, length) >= 0) return peerCredentials(fd);
    }
    return undefined;
  } finally {
    closeDescriptor(fd);
  }
}

export const kernelSockets: Sockets = { bindUdp, listenTcp, peerCredentials, abstractListener };
