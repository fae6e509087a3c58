import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serveProgram } from '@gantry/lib-source/testing';
import type { ExecutionContext } from 'ava';

const modules = '/usr/lib/apache2/modules';
const needed = ['mpm_event', 'authn_core', 'authn_file', 'authz_core', 'authz_user', 'auth_basic', 'dav', 'dav_svn'];

interface ApacheOptions {
  readonly username: string;
  readonly password: string;
  /** For HTTPS. */
  readonly certificate?: { readonly cert: Buffer; readonly key: Buffer };
}

/**
 * Apache with its Subversion module for the repositories below a directory: at `/open/NAME` for every client, at
 * `/closed/NAME` with the password. @returns its URL.
 */
export async function serveApache(
  t: ExecutionContext,
  directory: string,
  { username, password, certificate }: ApacheOptions,
): Promise<string> {
  const own = join(directory, 'apache');
  await mkdir(own);
  // Its worker runs as another user.
  for (const path of [directory, own]) await chmod(path, 0o755);
  const users = join(own, 'users');
  await writeFile(users, `${username}:{SHA}${createHash('sha1').update(password).digest('base64')}\n`);
  const secured = ['cert', 'key'].map((name) => join(own, `${name}.pem`));
  if (certificate !== undefined) {
    const [cert = '', key = ''] = secured;
    await writeFile(cert, certificate.cert);
    await writeFile(key, certificate.key, { mode: 0o600 });
  }
  const place = (path: string, more: string): string =>
    `<Location ${path}>\nDAV svn\nSVNParentPath "${directory}"\n${more}\n</Location>`;
  const configuration = (port: string): string =>
    [
      `ServerRoot "${own}"\nDefaultRuntimeDir "${own}"\nPidFile "${own}/pid"\nErrorLog "${own}/log"`,
      `ServerName localhost\nListen 127.0.0.1:${port}`,
      'ThreadsPerChild 8\nMinSpareThreads 1\nMaxSpareThreads 8',
      ...needed.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`),
      ...(certificate === undefined
        ? []
        : [
            `LoadModule ssl_module ${modules}/mod_ssl.so\nSSLEngine on\nSSLSessionCache none`,
            `SSLCertificateFile "${secured[0]}"\nSSLCertificateKeyFile "${secured[1]}"`,
          ]),
      ...(process.getuid?.() === 0 ? ['User www-data\nGroup www-data'] : []),
      place('/open', 'Require all granted'),
      place('/closed', `AuthType Basic\nAuthName source\nAuthUserFile "${users}"\nRequire valid-user`),
      '',
    ].join('\n');
  const port = await serveProgram(t, async (free) => {
    await writeFile(join(own, 'conf'), configuration(free));
    // One process alone, so that killing it leaves no worker.
    return spawn('/usr/sbin/apache2', ['-X', '-f', join(own, 'conf')], { stdio: 'ignore' });
  });
  return `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
}
