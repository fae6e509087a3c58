import { rename, writeFile } from 'node:fs/promises';

export interface ReplaceFileOptions {
  /** Permissions of the file, before the umask; 0o666 by default. */
  readonly mode?: number;
  /** Makes the text durable before the file gets its name. */
  readonly flush?: boolean;
}

/**
 * Replaces a text file at once: a reader finds the old text or the new one, also after a crash of the process. The caller
 * does not write the same file twice at a time: both would write the draft `${file}.new`.
 */
export async function replaceFile(file: string, text: string, options: ReplaceFileOptions = {}): Promise<void> {
  const draft = `${file}.new`;
  await writeFile(draft, text, options);
  await rename(draft, file);
}
