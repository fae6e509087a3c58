import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '@gantry/core/driver';

const form = /^([A-Z2-7]{4}:){11}[A-Z2-7]{4}$/;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Reads the engine's id, twelve groups of four letters and digits; generates and stores it on the first start. */
export async function readEngineId(directory: string): Promise<string> {
  const file = path.join(directory, 'engine-id');
  const known = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (form.test(known)) return known;
  const letters = [...randomBytes(48)].map((byte) => alphabet[byte % 32]).join('');
  const id = letters.match(/.{4}/g)?.join(':') ?? '';
  await replaceFile(file, `${id}\n`, { flush: true });
  return id;
}
