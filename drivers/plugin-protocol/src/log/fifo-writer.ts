import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '@gantry/core/errors';
import { isErrno } from '@gantry/linux/errors';

const pause = 10;

/**
 * Writes to a FIFO that a plugin reads, without ever blocking a thread: a plugin that does not read costs a rejected
 * write, and no more.
 */
export class FifoWriter {
  private constructor(private readonly file: FileHandle) {}

  /** Waits for the reader. Rejects `unavailable` when none comes in time (milliseconds). */
  static async open(path: string, timeout: number, signal: AbortSignal): Promise<FifoWriter> {
    const end = performance.now() + timeout;
    for (;;) {
      try {
        return new FifoWriter(await open(path, constants.O_WRONLY | constants.O_NONBLOCK));
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

  async close(): Promise<void> {
    await this.file.close();
  }
}
