import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Body, Methods } from './sdk/serve-plugin.js';

const directory = '/data/logs';
const fileOf = (info: unknown): string => `${directory}/${(info as Body).ContainerID}`;
/** Files being written, by FIFO. */
const writing = new Map<unknown, Promise<void>>();

/** Logs kept in a file each, as the entries arrive: the form they are read back in is the same. */
export const logs: Methods = {
  'LogDriver.Capabilities': () => ({ Cap: { ReadLogs: true } }),
  'LogDriver.StartLogging': async ({ File, Info }) => {
    await mkdir(directory, { recursive: true });
    const file = createReadStream(String(File)).pipe(createWriteStream(fileOf(Info), { flags: 'a' }));
    writing.set(
      File,
      finished(file).catch(() => undefined),
    );
    return {};
  },
  'LogDriver.StopLogging': async ({ File }) => {
    await writing.get(File);
    writing.delete(File);
    return {};
  },
  'LogDriver.ReadLogs': async ({ Info }) => {
    const isThere = await stat(fileOf(Info)).then(
      () => true,
      () => false,
    );
    return isThere ? createReadStream(fileOf(Info)) : Readable.from([]);
  },
};
