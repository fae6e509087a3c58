import { once } from 'node:events';
import { fsyncSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type { ByteString } from '@gantry/lib-archive/tar';
import { endRecord, payloadRecord, rawRecord } from './journal-format.js';

const bufferSize = 256 * 1024;

/**
 * Writes down an archive without the content of its files, so that it can be put together again byte by byte. Goes to
 * an open file, compressed; the rate is a few bytes an entry.
 */
export class JournalWriter {
  readonly #gzip = createGzip({ level: constants.Z_BEST_SPEED, chunkSize: 64 * 1024 });
  readonly #written: Promise<void>;
  #buffer = Buffer.allocUnsafeSlow(bufferSize);
  #used = 0;
  #payloads = 0;

  constructor(private readonly fd: number) {
    this.#written = pipeline(this.#gzip, fileWriter(fd));
    this.#written.catch(() => undefined);
  }

  /** Bytes that stand in the archive at this place. */
  raw(bytes: Buffer): void {
    // Pieces of a size the reader can hold.
    for (let at = 0; at < bytes.length; at += bufferSize / 4) {
      const part = bytes.subarray(at, at + bufferSize / 4);
      this.#append(rawRecord(part.length));
      this.#append(part);
    }
  }

  /** The content of a file stands at this place. @returns the number by which it can be kept apart. */
  payload(path: ByteString, size: number): number {
    this.#append(payloadRecord(path, size));
    return this.#payloads++;
  }

  /** Waits until what was written so far does not pile up in memory. */
  async settle(): Promise<void> {
    if (this.#gzip.writableNeedDrain) await Promise.race([once(this.#gzip, 'drain'), this.#written]);
  }

  /** Resolves when everything is on the disk. */
  async finish(): Promise<void> {
    this.#append(endRecord);
    this.#flush();
    this.#gzip.end();
    await this.#written;
    fsyncSync(this.fd);
  }

  /** Gives up. The file is not closed. */
  async abandon(): Promise<void> {
    this.#gzip.destroy();
    await this.#written.catch(() => undefined);
  }

  #append(bytes: Buffer): void {
    if (this.#used + bytes.length > bufferSize) this.#flush();
    bytes.copy(this.#buffer, this.#used);
    this.#used += bytes.length;
  }

  #flush(): void {
    if (this.#used === 0) return;
    this.#gzip.write(this.#buffer.subarray(0, this.#used));
    this.#buffer = Buffer.allocUnsafeSlow(bufferSize);
    this.#used = 0;
  }
}

/** Writes at once: it is little, and no thread of the pool can have it open still when the file is closed. */
const fileWriter = (fd: number): Writable =>
  new Writable({
    write(bytes: Buffer, _, callback) {
      try {
        for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at);
        callback();
      } catch (error) {
        callback(error as Error);
      }
    },
  });
