import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Launcher } from '@gantry/lib-linux/launcher';
import test, { type ExecutionContext } from 'ava';
import { GpgSignatures } from './gpg/gpg-signatures.js';
import { start, startRegistry } from './testing/policy-fixture.js';

const run = promisify(execFile);

/** Keys and a lookaside of the test's own. */
async function startSigner(t: ExecutionContext) {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-gpg-'));
  t.teardown(async () => {
    await run('gpgconf', ['--homedir', directory, '--kill', 'all']);
    await rm(directory, { recursive: true, force: true });
  });
  const gpg = async (...args: string[]) =>
    run('gpg', [
      '--homedir',
      directory,
      '--batch',
      '--quiet',
      '--passphrase',
      '',
      '--pinentry-mode',
      'loopback',
      ...args,
    ]);
  const lookaside = path.join(directory, 'lookaside');
  const registries = path.join(directory, 'registries.d');
  await mkdir(registries);
  await writeFile(path.join(registries, 'default.yaml'), `default-docker:\n  lookaside: file://${lookaside}\n`);
  return {
    registries,
    /** Makes a key. @returns the file of its public half, in armour. */
    async key(name: string, expires = 'never'): Promise<string> {
      await gpg('--faked-system-time', '20200101T000000', '--quick-generate-key', name, 'ed25519', 'sign', expires);
      const file = path.join(directory, `${name}.asc`);
      await gpg('--armor', '--output', file, '--export', name);
      return file;
    },
    /** Adds a signature of an image, the first by default. */
    async sign(key: string, repository: string, digest: string, reference: string, number = 1): Promise<void> {
      const place = path.join(lookaside, `${repository}@${digest.replace(':', '=')}`);
      await mkdir(place, { recursive: true });
      const payload = path.join(directory, 'payload.json');
      const critical = {
        type: 'atomic container signature',
        image: { 'docker-manifest-digest': digest },
        identity: { 'docker-reference': reference },
      };
      await writeFile(payload, JSON.stringify({ critical, optional: {} }));
      const output = path.join(place, `signature-${number}`);
      await gpg('--faked-system-time', '20200102T000000', '--local-user', key, '--output', output, '--sign', payload);
    },
  };
}

test('an image needs a signature by a GPG key, for its digest and its name', async (t) => {
  const { host, push } = await startRegistry(t);
  const signer = await startSigner(t);
  const keyPath = await signer.key('right');
  await signer.key('other');
  const required = { type: 'signedBy', keyType: 'GPGKeys', keyPath };
  const pull = await start(t, { default: [required] }, { registriesDirectory: signer.registries });
  const refusal = async (repository: string) => (await pull(`${host}/${repository}:latest`)) ?? '';

  push('bare');
  t.regex(await refusal('bare'), /it has no signature/);
  const right = push('right');
  await signer.sign('other', 'right', right, `${host}/right:latest`);
  t.regex(await refusal('right'), /a signature is by none of the keys/);
  await signer.sign('right', 'right', right, `${host}/right:latest`, 2);
  t.is(await refusal('right'), '');
  await signer.sign('right', 'renamed', push('renamed'), `${host}/right:latest`);
  t.regex(await refusal('renamed'), /a signature is for .*\/right:latest/);
  const another = `sha256:${'1'.repeat(64)}`;
  const swapped = push('swapped');
  await signer.sign('right', 'swapped', another, `${host}/swapped:latest`);
  const from = path.join(signer.registries, '../lookaside');
  await run('cp', [
    '-r',
    `${from}/swapped@${another.replace(':', '=')}`,
    `${from}/swapped@${swapped.replace(':', '=')}`,
  ]);
  t.regex(await refusal('swapped'), /a signature is for sha256:111/);
});

test('a signature by a key that has expired since does not count', async (t) => {
  const { host, push } = await startRegistry(t);
  const signer = await startSigner(t);
  const keyPath = await signer.key('old', '2020-02-01');
  const required = { type: 'signedBy', keyType: 'GPGKeys', keyPath };
  const pull = await start(t, { default: [required] }, { registriesDirectory: signer.registries });
  await signer.sign('old', 'app', push('app'), `${host}/app:latest`);
  t.regex((await pull(`${host}/app:latest`)) ?? '', /has expired/);
});

test('without gpgv the engine says what to install', async (t) => {
  const absent = { run: () => Promise.reject(new Error('ENOENT')) } as unknown as Launcher;
  const signatures = new GpgSignatures(absent, { root: '/', state: '/' });
  await t.throwsAsync(signatures.requireProgram(), { message: /signedBy.* need the program gpgv: install it/ });
});
