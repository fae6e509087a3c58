import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CorpusCase } from './corpus-case.js';

/** @param hasSyntax keep the line that names an image with the syntax; without registry only some engines have it. */
export async function writeContext(directory: string, { files }: CorpusCase, hasSyntax = true): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const content = hasSyntax ? text : text.replace(/^# syntax=.*\n/, '');
    const file = path.join(directory, name.replace(/\*$/, ''));
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content, { mode: name.endsWith('*') ? 0o755 : 0o644 });
  }
}
