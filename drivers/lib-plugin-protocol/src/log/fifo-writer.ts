import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux/errors';

/** Between attempts, in milliseconds. */
const retryDelay = 10;

/**
 * Writes to a FIFO that a plugin reads, without blocking a thread: when the plugin does not read, the write rejects.
 */
export class FifoWriter {
  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
  ) {}

  /** Waits for the plugin to open the FIFO. Rejects `unavailable` after the timeout (milliseconds). */
  static async open(path: string, timeout: number, signal: AbortSignal): Promise<FifoWriter> {
    const end = performance.now() + timeout;
    for (;;) {
      try {
        return new FifoWriter(path, await open(path, constants.O_WRONLY | constants.O_NONBLOCK));
      } catch (error) {
        if (!isErrno(error, 'ENXIO')) throw error;
        if (performance.now() > end) throw unavailable('the plugin did not open the log in time');
      }
      await delay(retryDelay, undefined, { signal });
    }
  }

  /**
   * Resolves when all bytes are written. Rejects `unavailable` when the plugin reads nothing for the timeout
   * (milliseconds) or closes the FIFO; some bytes may have been written by then.
   */
  async write(bytes: Buffer, timeout: number, signal: AbortSignal): Promise<void> {
    let end = performance.now() + timeout;
    for (let done = 0; done < bytes.length; ) {
      try {
        const { bytesWritten } = await this.file.write(bytes, done);
        done += bytesWritten;
        if (bytesWritten > 0) end = performance.now() + timeout;
      } catch (error) {
        if (isErrno(error, 'EPIPE')) throw unavailable('the plugin has stopped reading the log', { cause: error });
        if (!isErrno(error, 'EAGAIN')) throw error;
        if (performance.now() > end) throw unavailable('the plugin does not read the log', { cause: error });
        await delay(retryDelay, undefined, { signal });
      }
    }
  }

  /** Discards what the plugin has not read. Resolves to the number of bytes. */
  async drain(): Promise<number> {
    const reader = await open(this.path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const room = Buffer.alloc(64 * 1024);
      for (let count = 0; ; ) {
        const { bytesRead } = await reader.read(room).catch((error: unknown) => {
          if (isErrno(error, 'EAGAIN')) return { bytesRead: 0 };
          throw error;
        });
        if (bytesRead === 0) return count;
        count += bytesRead;
      }
    } finally {
      await reader.close();
    }
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}
