import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './scratch.js';

export interface Authority {
  /** In PEM. */
  readonly certificate: string;
  /** A certificate for localhost, signed by the authority. */
  readonly server: { readonly cert: Buffer; readonly key: Buffer };
}

const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** A certificate authority that no host trusts. */
export async function createAuthority(name: string): Promise<Authority> {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-authority-'));
  try {
    return await createIn(directory, name);
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function createIn(directory: string, name: string): Promise<Authority> {
  const openssl = (...args: readonly string[]) => run(directory, 'openssl', args);
  const file = (end: string): string => join(directory, `${name}${end}`);
  const subject = ['-subj', `/CN=${name}`];
  await openssl('req', '-x509', ...key, ...subject, '-days', '2', '-keyout', file('.key'), '-out', file('.pem'));
  await openssl('req', ...key, '-subj', '/CN=localhost', '-keyout', file('-server.key'), '-out', file('-server.csr'));
  await writeFile(file('.extensions'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\n');
  const signing = ['-CA', file('.pem'), '-CAkey', file('.key'), '-CAcreateserial', '-extfile', file('.extensions')];
  await openssl('x509', '-req', ...signing, '-days', '2', '-in', file('-server.csr'), '-out', file('-server.pem'));
  const [certificate, cert, secret] = await Promise.all([
    readFile(file('.pem'), 'utf8'),
    readFile(file('-server.pem')),
    readFile(file('-server.key')),
  ]);
  return { certificate, server: { cert, key: secret } };
}
