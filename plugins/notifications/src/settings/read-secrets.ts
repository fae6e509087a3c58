import { readFile } from 'node:fs/promises';
import { messageOf, unavailable } from '@gantry/core/errors';

const minLength = 8;

/** Secrets by the name of the webhook. @throws EngineError `unavailable` naming the webhook and the file. */
export async function readSecrets(
  webhooks: Readonly<Record<string, { readonly secretFile: string }>>,
): Promise<ReadonlyMap<string, string>> {
  const secrets = new Map<string, string>();
  for (const [name, { secretFile }] of Object.entries(webhooks)) {
    const text = await readFile(secretFile, 'utf8').catch((cause) => {
      throw unavailable(`webhooks.${name}.secretFile: cannot read ${secretFile}: ${messageOf(cause)}`, { cause });
    });
    const secret = text.trim();
    if (secret.length < minLength) {
      throw unavailable(`webhooks.${name}.secretFile: ${secretFile} holds no ${minLength} characters`);
    }
    secrets.set(name, secret);
  }
  return secrets;
}
