import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux/errors';

const pause = 10;

/**
 * Writes to a FIFO that a plugin reads, without ever blocking a thread: a plugin that does not read costs a rejected
 * write, and no more.
 */
export class FifoWriter {
  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
  ) {}

  /** Waits for the reader. Rejects `unavailable` when none comes in time (milliseconds). */
  static async open(path: string, timeout: number, signal: AbortSignal): Promise<FifoWriter> {
    const end = performance.now() + timeout;
    for (;;) {
      try {
        return new FifoWriter(path, await open(path, constants.O_WRONLY | constants.O_NONBLOCK));
      } catch (error) {
        if (!isErrno(error, 'ENXIO')) throw error;
        if (performance.now() > end) throw unavailable('the plugin does not open the log it asked for');
      }
      await delay(pause, undefined, { signal });
    }
  }

  /**
   * Resolves when all bytes are with the plugin. Rejects `unavailable` when it reads nothing for so long
   * (milliseconds), or has gone; a part may have been written then.
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
        await delay(pause, undefined, { signal });
      }
    }
  }

  /** Takes what the plugin has not read out again. @returns how many bytes that was. */
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
