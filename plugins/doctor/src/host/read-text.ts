import { readFile } from 'node:fs/promises';

/** A small file of the kernel or of the host; undefined when it cannot be read. */
export const readText = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  );
