import { constants } from 'node:os';
import { Duplex } from 'node:stream';
import { LinuxError } from '../errors/linux-error.js';
import { MSG_DONTWAIT, MSG_NOSIGNAL, SHUT_WR } from '../ffi/constants.js';
import { closeDescriptor } from '../system-calls/close-descriptor.js';
import { SystemCall } from '../system-calls/system-call.js';
import { eventLoopWatcher } from '../watch/event-loop-watcher.js';
import type { FdWatch } from '../watch/watch.js';

const transfer = ['int', 'void *', 'size_t', 'int'];
const recv = new SystemCall<[fd: number, into: Uint8Array, bytes: number, flags: number]>('recv', 'int64_t', transfer);
const send = new SystemCall<[fd: number, from: Uint8Array, bytes: number, flags: number]>('send', 'int64_t', transfer);
const shutdown = new SystemCall<[fd: number, how: number]>('shutdown', 'int', ['int', 'int']);

const { EAGAIN, EINTR, ENOBUFS } = constants.errno;

/** The longest packet that is received whole. */
const packetBytes = 64 * 1024;
/** Packets are cut out of blocks of this size, so that small ones do not cost a large buffer each. */
const blockBytes = 4 * packetBytes;
/** Packets taken in one go, before others on the event loop have their turn. */
const packetsPerTurn = 64;
/** Packets that wait for the reader in our memory, rather than in the kernel's. */
const waitingPackets = 16;
/** The longest packet that is sent. */
const sentBytes = 32 * 1024;

/** A connected SOCK_SEQPACKET socket as a stream. Owns the descriptor. */
export class PacketStream extends Duplex {
  readonly #fd: number;
  readonly #watch: FdWatch;
  #block = Buffer.allocUnsafeSlow(0);
  #used = 0;
  #wantsPackets = false;
  #afterWritable: (() => void) | undefined;

  constructor(fd: number) {
    // Read as objects, since bytes would be joined as soon as two packets wait; so the mark counts packets.
    super({ allowHalfOpen: true, readableObjectMode: true, readableHighWaterMark: waitingPackets });
    this.#fd = fd;
    this.#watch = eventLoopWatcher.fd(fd, {}, () => this.#onReady(), { keepAlive: true });
    this.#watch.pause();
  }

  override _read(): void {
    if (this.#wantsPackets) return;
    this.#wantsPackets = true;
    this.#updateWatch();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#send(chunk, 0, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    const result = shutdown.attempt(this.#fd, SHUT_WR);
    // The other side may have gone already.
    done(result < 0 && result !== -constants.errno.ENOTCONN ? new LinuxError(-result, 'shutdown') : null);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#watch.close();
    closeDescriptor(this.#fd);
    this.#afterWritable = undefined;
    done(error);
  }

  #send(chunk: Buffer, from: number, done: (error?: Error | null) => void): void {
    let start = from;
    while (start < chunk.length) {
      const packet = chunk.subarray(start, start + sentBytes);
      const result = send.attempt(this.#fd, packet, packet.length, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (result === -EINTR) continue;
      if (result === -EAGAIN || result === -ENOBUFS) {
        const rest = start;
        this.#afterWritable = () => this.#send(chunk, rest, done);
        this.#updateWatch();
        return;
      }
      if (result < 0) {
        done(new LinuxError(-result, 'send'));
        return;
      }
      start += packet.length;
    }
    done();
  }

  #onReady(): void {
    const continueWriting = this.#afterWritable;
    this.#afterWritable = undefined;
    continueWriting?.();
    if (this.#wantsPackets) this.#receive();
    this.#updateWatch();
  }

  #receive(): void {
    for (let turn = 0; turn < packetsPerTurn && this.#wantsPackets && !this.destroyed; turn += 1) {
      if (this.#block.length - this.#used < packetBytes) {
        this.#block = Buffer.allocUnsafeSlow(blockBytes);
        this.#used = 0;
      }
      const room = this.#block.subarray(this.#used, this.#used + packetBytes);
      const result = recv.attempt(this.#fd, room, packetBytes, MSG_DONTWAIT);
      if (result === -EINTR) continue;
      if (result === -EAGAIN) return;
      if (result < 0) {
        this.destroy(new LinuxError(-result, 'recv'));
        return;
      }
      if (result === 0) {
        this.#wantsPackets = false;
        this.push(null);
        return;
      }
      this.#used += result;
      this.#wantsPackets = this.push(room.subarray(0, result));
    }
  }

  #updateWatch(): void {
    if (this.destroyed) return;
    const readable = this.#wantsPackets;
    const writable = this.#afterWritable !== undefined;
    if (readable || writable) this.#watch.resume({ readable, writable });
    else this.#watch.pause();
  }
}
