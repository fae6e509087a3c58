import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';

/** Certificates of the authorities that server certificates are checked against: the host's and the context's. */
export interface TrustedCertificates {
  /** All of them, in PEM. */
  readonly certificates: string;
  /** A file with the same. */
  readonly bundle: string;
  /** The context's, one file each: svn reads only the first certificate of a file. */
  readonly files: readonly string[];
}

/** The host's trust store on Debian and Fedora. */
const hostBundles = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt'];

/** Writes the certificates into a sandbox's home, for programs; undefined when the host's suffice. */
export async function writeTrustedCertificates(
  home: string,
  authorities: readonly string[] = [],
): Promise<TrustedCertificates | undefined> {
  if (authorities.length === 0) return undefined;
  const certificates = [await hostCertificates(), ...authorities].join('\n');
  const bundle = join(home, 'authorities.pem');
  await writeFile(bundle, certificates);
  const files = await Promise.all(
    authorities.map(async (authority, index) => {
      const file = join(home, `authority-${index}.pem`);
      await writeFile(file, authority);
      return file;
    }),
  );
  return { certificates, bundle, files };
}

async function hostCertificates(): Promise<string> {
  for (const path of hostBundles) {
    const text = await readFile(path, 'utf8').catch(() => '');
    if (text !== '') return text;
  }
  return rootCertificates.join('\n');
}
