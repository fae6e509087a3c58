import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually, type TestOwner } from '@gantry/test-engine';

export const account = { username: 'ann', password: 's3cret-pw' };

/** bcrypt of the account's password. */
const hash = '$2b$05$abcdefghijklmnopqrstuuzSvhclVSvY9ufOheOOhcPviTPFJlqIC';

interface DistributionOptions {
  /** Takes only the account. */
  readonly basic?: boolean;
}

interface Distribution {
  /** `127.0.0.1:port`. */
  readonly host: string;
}

/** Starts a real registry of the test's own on loopback; it is gone with its content when the test is over. */
export async function startDistribution(t: TestOwner, options: DistributionOptions = {}): Promise<Distribution> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-distribution-'));
  const port = await freePort();
  const host = `127.0.0.1:${port}`;
  const { basic = false } = options;
  if (basic) await writeFile(path.join(directory, 'htpasswd'), `${account.username}:${hash}\n`);
  const configuration = {
    version: '0.1',
    log: { level: 'error' },
    storage: { filesystem: { rootdirectory: path.join(directory, 'data') } },
    http: { addr: host, secret: 'test' },
    ...(basic && { auth: { htpasswd: { realm: 'test', path: path.join(directory, 'htpasswd') } } }),
  };
  const file = path.join(directory, 'config.yml');
  await writeFile(file, JSON.stringify(configuration));
  const child = spawn('docker-registry', ['serve', file], { stdio: 'ignore' });
  const over = ended(child);
  t.teardown(async () => {
    child.kill('SIGKILL');
    await over;
    await rm(directory, { recursive: true, force: true });
  });
  await eventually('the registry to answer', () => answers(port));
  return { host };
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port }, (response) => {
      response.resume();
      resolve(true);
    });
    request.on('error', () => resolve(false));
  });

/** A loopback port that was unused a moment ago. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
