import type { Duplex } from 'node:stream';
import { servicePoint } from '@gantry/core/points';
import { kernelSeqpacket } from './kernel-seqpacket.js';

/**
 * A socket that keeps the borders of packets. Each `data` event, and each chunk of an iteration, is a Buffer with one
 * packet, as sent. Each write goes out as one
 * packet, cut into several above 32 KiB. `end()` closes our direction only; `destroy()` both. `pause()` leaves packets
 * in the kernel, so that the sender is held up and not our memory.
 */
export type SeqpacketConnection = Duplex;

export interface Seqpacket {
  /**
   * Connects to a listening socket by its path, of any length. Rejects LinuxError: `ENOENT`, `ECONNREFUSED`; while the
   * listener's queue is full it tries again until the signal aborts, for 5 s at most.
   */
  connect(path: string, options?: { readonly signal?: AbortSignal }): Promise<SeqpacketConnection>;
}

export const Seqpacket = servicePoint<Seqpacket>('linux.seqpacket', { fallback: () => kernelSeqpacket });
