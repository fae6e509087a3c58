import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { rootCertificates } from 'node:tls';
import { internal, messageOf } from '@gantry/core/errors';

/** Certificates for one host, in PEM form. */
interface Trusted {
  /** Undefined: the well-known authorities. */
  readonly ca?: readonly string[];
  readonly cert?: string;
  readonly key?: string;
}

/** Reads the certificates for a registry, each time again, so that a new one needs no restart. */
export class TrustStore {
  constructor(
    private readonly directory: string,
    private readonly authorities: readonly string[],
  ) {}

  /** `host` with its port. Rejects `internal` naming a file that cannot be read. */
  async of(host: string): Promise<Trusted> {
    const folder = path.join(this.directory, host);
    const names = await readdir(folder).catch(() => []);
    const files = names.sort().map((name) => path.join(folder, name));
    const ca = await Promise.all([...this.authorities, ...files.filter((file) => file.endsWith('.crt'))].map(read));
    const cert = files.find((file) => file.endsWith('.cert'));
    const key = cert?.replace(/\.cert$/, '.key');
    return {
      ...(ca.length > 0 && { ca: [...rootCertificates, ...ca] }),
      ...(cert !== undefined && { cert: await read(cert) }),
      ...(key !== undefined && { key: await read(key) }),
    };
  }
}

const read = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((cause) => {
    throw internal(`cannot read the certificate file ${file}: ${messageOf(cause)}`, { cause });
  });
