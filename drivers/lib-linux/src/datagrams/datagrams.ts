import { servicePoint } from '@gantry/core/points';
import { kernelDatagrams } from './kernel-datagrams.js';
/** A socket that sends datagrams to one other. */
export interface DatagramSender {
  /**
   * Sends one datagram, waiting while the receiver's queue is full. Rejects LinuxError: `EMSGSIZE` it is too large,
   * `ECONNREFUSED` or `ECONNRESET` the receiver has gone; with the signal's reason after an abort.
   */
  send(bytes: Uint8Array, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /**
   * Sends one empty datagram with a descriptor of sealed memory that holds the bytes: as systemd's journal takes what is
   * too large. Waits and rejects as `send` does.
   */
  sendMemory(bytes: Uint8Array, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Twice: does nothing. */
  close(): void;
}

/** Unix sockets of type SOCK_DGRAM, which Node does not have. */
export interface Datagrams {
  /** Throws LinuxError: `ENOENT` there is no such file, `ECONNREFUSED` no process listens, `EPROTOTYPE` it is a stream socket. */
  connect(path: string): DatagramSender;
}

export const Datagrams = servicePoint<Datagrams>('linux.datagrams', { fallback: () => kernelDatagrams });
