import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';

/** Certificates of authorities that servers may be vouched for by: those of the host, and more. */
export interface Trust {
  /** All of them, in PEM. */
  readonly certificates: string;
  /** A file with the same. */
  readonly bundle: string;
  /** Files with those beside the host's, one each: svn reads the first of a file only. */
  readonly files: readonly string[];
}

/** Where hosts keep the authorities they trust: Debian, Fedora. */
const hostBundles = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt'];

/** Writes authorities into a home, for programs; undefined when there are none beside the host's. */
export async function writeTrust(home: string, authorities: readonly string[] = []): Promise<Trust | undefined> {
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
