import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { messageOf, unavailable } from '@gantry/core/errors';

/** `sha256=` and the HMAC of a body in hexadecimal digits. */
const signatureOf = (secret: string, body: Buffer): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** Compares in a time that tells nothing of where they differ. */
export function isSigned(secret: string, body: Buffer, signature: string | undefined): boolean {
  const expected = Buffer.from(signatureOf(secret, body));
  const given = Buffer.from(signature ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

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
    if (secret.length < 8) throw unavailable(`webhooks.${name}.secretFile: ${secretFile} holds no 8 characters`);
    secrets.set(name, secret);
  }
  return secrets;
}
