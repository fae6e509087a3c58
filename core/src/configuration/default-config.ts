import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('../../default-config.json', import.meta.url));

/** The configuration that holds where a file leaves a top-level key out: which packages make up the engine. */
export const readDefaultConfig = async (): Promise<Record<string, unknown>> => JSON.parse(await readFile(file, 'utf8'));

/** Packages of the default configuration are looked for from here. */
export const defaultConfigDirectory = fileURLToPath(new URL('../..', import.meta.url));
