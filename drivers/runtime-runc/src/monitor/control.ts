import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TerminalSize } from '@gantry/core/contracts';
import { isErrno } from '@gantry/lib-linux';

/** The most that conmon reads at once. conmon 2.1.6 applies the first of several lines that it reads, instead of each. */
const readBytes = 199;

/**
 * Makes a monitor set the size of its terminal. False when the monitor has gone. Not by the control fifo, from which conmon
 * writes sizes to this one, and may then read several at once.
 */
export const sendResize = (control: string, { height, width }: TerminalSize): Promise<boolean> =>
  send(join(dirname(control), 'winsz'), `${`${height} ${width}`.padEnd(readBytes - 1)}\n`);

/** Makes a monitor begin a new spool file in the place of the one it writes. False when the monitor has gone. */
export const sendReopen = (fifo: string): Promise<boolean> => send(fifo, '2 0 0\n');

async function send(fifo: string, line: string): Promise<boolean> {
  try {
    const file = await open(fifo, constants.O_WRONLY | constants.O_NONBLOCK);
    try {
      await file.write(line);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENXIO', 'EPIPE')) return false;
    throw error;
  }
}
