import { readFile } from 'node:fs/promises';
import { EngineError, messageOf } from '@gantry/core/errors';
import type { SourceImportConfig } from '../config.js';

/** A receiver of events. */
export interface Webhook {
  readonly url: string;
  readonly secret: string;
}

/** Reads the secrets of webhooks. Rejects `invalid-argument` naming the file that is unreadable or empty. */
export async function readWebhooks(configured: SourceImportConfig['webhooks']): Promise<ReadonlyMap<string, Webhook>> {
  const webhooks = Object.entries(configured).map(async ([name, { url, secretFile }]) => {
    const place = `webhooks.${name}.secretFile: ${secretFile}`;
    const text = await readFile(secretFile, 'utf8').catch((cause: unknown) => {
      throw new EngineError('invalid-argument', `${place} cannot be read: ${messageOf(cause)}`, { cause });
    });
    const secret = text.trim();
    if (secret === '') throw new EngineError('invalid-argument', `${place} is empty`);
    return [name, { url, secret }] as const;
  });
  return new Map(await Promise.all(webhooks));
}
