import { closeSync } from 'node:fs';
import { createServer } from 'node:net';
import type { BalancedPort } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { isErrno } from '@gantry/lib-linux/errors';
import { Sockets } from '@gantry/lib-linux/sockets';
import { keyOf } from './check-ports.js';

/**
 * Reserves published ports by sockets, so that the kernel decides whether a port is free. Rules translate connections
 * before they reach a socket; one that does, while they are missing, is reset. Node has no sockets of SCTP: its ports are
 * not reserved.
 */
@injectable()
export class HeldPorts {
  readonly #held = new Map<string, () => void>();

  constructor(@inject(Sockets.token) private readonly sockets: Sockets) {}

  /** Reserves a port. @returns false when another program has bound it. */
  hold(port: BalancedPort): boolean {
    if (this.#held.has(keyOf(port))) return true;
    try {
      this.#held.set(keyOf(port), this.#bind(port));
      return true;
    } catch (error) {
      if (isErrno(error, 'EADDRINUSE')) return false;
      throw error;
    }
  }

  /** Releases all ports but these. */
  retain(ports: readonly BalancedPort[]): void {
    const kept = new Set(ports.map(keyOf));
    for (const [key, release] of this.#held) {
      if (kept.has(key)) continue;
      release();
      this.#held.delete(key);
    }
  }

  #bind({ port, protocol }: BalancedPort): () => void {
    if (protocol === 'sctp') return () => undefined;
    if (protocol === 'udp') {
      const { fd } = this.sockets.bindUdp({ address: '0.0.0.0', port });
      return () => closeSync(fd);
    }
    const { fd } = this.sockets.listenTcp({ address: '0.0.0.0', port });
    const server = createServer((socket) => socket.resetAndDestroy());
    server.on('error', () => undefined); // of one connection that could not be accepted; the port is held all the same
    server.listen({ fd });
    return () => void server.close();
  }
}
