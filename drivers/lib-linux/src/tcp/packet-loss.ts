import type { Socket } from 'node:net';
import { type TcpState, tcpState } from './tcp-diagnostics.js';

/**
 * Whether packets of a TCP connection are lost. A host that is merely busy acknowledges at once.
 *
 * The kernel counts its attempts to send them again, but forgets how many there were at every packet that arrives while the
 * first one could not leave this host, as behind a packet filter. So what waits for longer than the kernel itself would wait
 * counts as well: it is known from the second look on.
 */
export class PacketLoss {
  /** Since when the same bytes wait; undefined while none do. */
  #waiting: { readonly since: number; readonly acknowledged: bigint } | undefined;

  constructor(private readonly socket: Socket) {}

  /** False for a socket that is not connected, and when the kernel does not say. */
  look(): boolean {
    const state = tcpState(this.socket);
    if (state === undefined || state.waiting === 0) {
      this.#waiting = undefined;
      return false;
    }
    const waited = this.#waitedFor(state);
    return state.attempts > 0 || waited > state.timeout;
  }

  /** Milliseconds. */
  #waitedFor({ acknowledged }: TcpState): number {
    const now = performance.now();
    if (this.#waiting?.acknowledged !== acknowledged) this.#waiting = { since: now, acknowledged };
    return now - this.#waiting.since;
  }
}
