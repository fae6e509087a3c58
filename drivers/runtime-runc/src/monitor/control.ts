import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { TerminalSize } from '@gantry/core/contracts';
import { isErrno } from '@gantry/lib-linux';

/** Makes a monitor set the size of its terminal. False when the monitor has gone. */
export const sendResize = (fifo: string, { height, width }: TerminalSize): Promise<boolean> =>
  send(fifo, `1 ${height} ${width}\n`);

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
