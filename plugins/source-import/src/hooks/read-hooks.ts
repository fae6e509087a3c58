import { readFile } from 'node:fs/promises';
import { EngineError, messageOf } from '@gantry/core/errors';
import type { SourceImportConfig } from '../config.js';
import type { Hook } from './outbox.js';

/** Reads the secrets of webhooks. Rejects `invalid-argument` naming the file that cannot be read or holds nothing. */
export async function readHooks(configured: SourceImportConfig['webhooks']): Promise<ReadonlyMap<string, Hook>> {
  const hooks = Object.entries(configured).map(async ([name, { url, secretFile }]) => {
    const words = `webhooks.${name}.secretFile: ${secretFile}`;
    const text = await readFile(secretFile, 'utf8').catch((cause: unknown) => {
      throw new EngineError('invalid-argument', `${words} cannot be read: ${messageOf(cause)}`, { cause });
    });
    const secret = text.trim();
    if (secret === '') throw new EngineError('invalid-argument', `${words} is empty`);
    return [name, { url, secret }] as const;
  });
  return new Map(await Promise.all(hooks));
}
