import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { internal } from '@gantry/core/errors';

const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

/** Makes a key for `seal`. */
export const newKey = (): Buffer => randomBytes(32);

/** Encrypts and authenticates; every call has a nonce of its own. */
export function seal(key: Buffer, content: Buffer): string {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagLength });
  return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]).toString('base64');
}

/** @throws EngineError `internal` when the text was not sealed with this key, or was changed. */
export function unseal(key: Buffer, sealed: string): Buffer {
  const bytes = Buffer.from(sealed, 'base64');
  try {
    const nonce = bytes.subarray(0, nonceLength);
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagLength });
    decipher.setAuthTag(bytes.subarray(-tagLength));
    return Buffer.concat([decipher.update(bytes.subarray(nonceLength, -tagLength)), decipher.final()]);
  } catch (cause) {
    throw internal('sealed content cannot be opened with the key of this swarm', { cause });
  }
}
