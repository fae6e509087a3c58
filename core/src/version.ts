import { createRequire } from 'node:module';

/** The engine's version, as its package says. */
export const version: string = createRequire(import.meta.url)('../package.json').version;
