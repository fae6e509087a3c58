import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

const form = /^([A-Z2-7]{4}:){11}[A-Z2-7]{4}$/;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Reads the engine's id, twelve groups of four letters and digits; generates and stores it on the first start. */
export async function readEngineId(directory: string): Promise<string> {
  const file = path.join(directory, 'engine-id');
  const known = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (form.test(known)) return known;
  const letters = [...randomBytes(48)].map((byte) => alphabet[byte % 32]).join('');
  const id = letters.match(/.{4}/g)?.join(':') ?? '';
  await writeFile(`${file}.new`, `${id}\n`, { flush: true });
  await rename(`${file}.new`, file);
  return id;
}
