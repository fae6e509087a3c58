import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  /** Files, for options that name them. */
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly cert: Buffer;
  readonly key: Buffer;
  remove(): void;
}

/** A certificate for localhost and 127.0.0.1 that vouches for itself. */
export function selfSigned(): Certificate {
  const directory = mkdtempSync(join(tmpdir(), 'certificate-'));
  const certificateFile = join(directory, 'cert.pem');
  const keyFile = join(directory, 'key.pem');
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const files = ['-keyout', keyFile, '-out', certificateFile];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  execFileSync('openssl', ['req', '-x509', ...kind, '-nodes', '-days', '2', ...subject, ...files], { stdio: 'ignore' });
  return {
    certificateFile,
    keyFile,
    cert: readFileSync(certificateFile),
    key: readFileSync(keyFile),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
