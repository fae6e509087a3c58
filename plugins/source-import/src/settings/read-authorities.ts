import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { EngineError, messageOf } from '@gantry/core/errors';

/**
 * Reads the certificates of PEM files, of which each may hold several. Rejects `invalid-argument` naming a file that
 * cannot be read or holds something else.
 */
export const readAuthorities = async (files: readonly string[]): Promise<readonly string[]> =>
  (await Promise.all(files.map(readBundle))).flat();

async function readBundle(file: string): Promise<readonly string[]> {
  const refuse = (why: string, cause?: unknown) =>
    new EngineError('invalid-argument', `certificateAuthorities: ${file} ${why}`, { cause });
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw refuse(`cannot be read: ${messageOf(cause)}`, cause);
  });
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (found.length === 0) throw refuse('holds no certificate in PEM');
  return found.map((pem) => {
    try {
      new X509Certificate(pem);
      return pem;
    } catch (cause) {
      throw refuse(`holds something other than a certificate: ${messageOf(cause)}`, cause);
    }
  });
}
