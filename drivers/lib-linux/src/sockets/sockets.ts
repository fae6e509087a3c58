import { servicePoint } from '@gantry/core/points';
import type { NamespaceReference } from '../namespaces/namespaces.js';
import { kernelSockets } from './kernel-sockets.js';

export interface SocketAddress {
  /** IPv4 or IPv6, as text. `::` takes IPv6 only. */
  readonly address: string;
  /** 0 lets the kernel choose. */
  readonly port: number;
  /** The network namespace; the calling thread's by default. */
  readonly namespace?: NamespaceReference;
}

/** An open socket. The caller closes the descriptor. */
export interface OpenSocket {
  readonly fd: number;
  readonly port: number;
}

export interface PeerCredentials {
  readonly pid: number;
  readonly uid: number;
  readonly gid: number;
}

/** Sockets in other network namespaces. Throws LinuxError: `EADDRINUSE`, `EADDRNOTAVAIL`. */
export interface Sockets {
  /** Bound; for `dgram.createSocket().bind({ fd })`, which emits `listening` before it returns. */
  bindUdp(address: SocketAddress): OpenSocket;
  /** Bound and listening; for `net.createServer().listen({ fd })`. */
  listenTcp(address: SocketAddress, options?: { readonly backlog?: number }): OpenSocket;
  /** Credentials of the process that connected a Unix socket, at the time of the connection. */
  peerCredentials(fd: number): PeerCredentials;
  /**
   * Credentials of the process that listens on an abstract Unix socket of the thread's network namespace, at the time it
   * began to listen; undefined when no connection can be made. The name is without the leading zero byte.
   */
  abstractListener(name: string): PeerCredentials | undefined;
}

export const Sockets = servicePoint<Sockets>('linux.sockets', { fallback: () => kernelSockets });
