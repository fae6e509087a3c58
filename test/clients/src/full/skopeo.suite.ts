import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import test from 'ava';
import { startClientHost } from '../testing/client-host.js';
import { startRegistry } from '../testing/start-registry.js';

const run = promisify(execFile);

test('skopeo copies images out of the engine and into it, also as archives', async (t) => {
  // Debian's skopeo speaks 1.22.
  const host = await startClientHost(t, { plugins: { 'api-history': { oldest: '1.22' } } });
  const { client, directory, socket } = host.daemon;
  const copy = (from: string, to: string) =>
    host.succeed('skopeo', [
      ...[
        '--insecure-policy',
        'copy',
        '--src-daemon-host',
        `unix://${socket}`,
        '--dest-daemon-host',
        `unix://${socket}`,
      ],
      from,
      to,
    ]);
  const idOf = async (name: string): Promise<string> => (await client.getImage(name).inspect()).Id;
  const load = async (file: string): Promise<void> => {
    const loading = await client.loadImage(path.join(directory, file));
    await finished(loading.resume());
  };
  const original = await idOf('busybox:latest');
  await copy('docker-daemon:busybox:latest', `docker-archive:${directory}/docker.tar:archived:1`);
  await load('docker.tar');
  t.is(await idOf('archived:1'), original);
  await copy(`docker-archive:${directory}/docker.tar`, 'docker-daemon:copied:1');
  t.is(await idOf('copied:1'), original);
  await copy('docker-daemon:busybox:latest', `oci-archive:${directory}/oci.tar:oci:1`);
  await load('oci.tar');
  // Its configuration has been converted.
  const converted = await idOf('oci:1');
  await copy(`oci-archive:${directory}/oci.tar:oci:1`, 'docker-daemon:back:1');
  t.is(typeof (await idOf('back:1')), 'string');
  t.deepEqual(
    (await client.getImage(converted).inspect()).RootFS.Layers,
    (await client.getImage(original).inspect()).RootFS.Layers,
  );
});

test('images that skopeo signed are pulled by a policy for signatures, others are not', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-signed-'));
  const [file, registriesDirectory, home] = ['policy.json', 'registries.d', 'gnupg'].map((name) =>
    path.join(directory, name),
  ) as [string, string, string];
  const signedBy = { type: 'signedBy', keyType: 'GPGKeys', keyPath: path.join(directory, 'key.asc') };
  const policy = { default: [{ type: 'reject' }], transports: { docker: { '127.0.0.1:5000/team': [signedBy] } } };
  await writeFile(file, JSON.stringify(policy));
  await mkdir(registriesDirectory);
  await writeFile(
    path.join(registriesDirectory, 'default.yaml'),
    `default-docker:\n  lookaside: file://${directory}/lookaside\n`,
  );
  await mkdir(home, { mode: 0o700 });
  const environment = { GNUPGHOME: home };
  const gpg = async (...args: string[]): Promise<string> =>
    (await run('gpg', ['--homedir', home, '--batch', ...args])).stdout;
  t.teardown(async () => {
    await run('gpgconf', ['--homedir', home, '--kill', 'all']);
    await rm(directory, { recursive: true });
  });
  const keyOf = async (name: string): Promise<string> => {
    await gpg('--passphrase', '', '--quick-generate-key', name, 'rsa2048', 'sign', 'never');
    return /^fpr:+(\w+)/m.exec(await gpg('--with-colons', '--list-keys', name))?.[1] ?? '';
  };
  const [key, other] = [await keyOf('team'), await keyOf('other')];
  await gpg('--armor', '--output', signedBy.keyPath, '--export', key);
  const host = await startClientHost(t, {
    plugins: { 'api-history': { oldest: '1.22' }, 'image-policy': { file, registriesDirectory } },
    extraPackages: ['@gantry/image-policy'],
  });
  await startRegistry(t, host, directory);
  const push = (name: string, ...options: string[]) => {
    const words = ['--insecure-policy', '--registries.d', registriesDirectory, 'copy', '--dest-tls-verify=false'];
    const daemon = ['--src-daemon-host', `unix://${host.daemon.socket}`, 'docker-daemon:busybox:latest'];
    return host.succeed('skopeo', [...words, ...options, ...daemon, `docker://${name}`], { environment });
  };
  const pull = async (name: string): Promise<string> => {
    const { client } = host.daemon;
    try {
      const progress = await client.pull(name);
      await new Promise((resolve, reject) => {
        client.modem.followProgress(progress, (error) => (error === null ? resolve(undefined) : reject(error)));
      });
      return 'pulled';
    } catch (error) {
      return String(error);
    }
  };
  const image = (name: string): string => `127.0.0.1:5000/team/${name}:1`;
  await push(image('signed'), '--sign-by', key);
  await push(image('signed-by-other'), '--sign-by', other);
  await push(image('plain'));
  t.is(await pull(image('signed')), 'pulled');
  t.regex(await pull(image('signed-by-other')), /has no valid signature: a signature is by none of the keys/);
  t.regex(await pull(image('plain')), /the image policy does not allow 127\.0\.0\.1:5000\/team\/plain:1/);
  await push('127.0.0.1:5000/elsewhere:1', '--sign-by', key);
  t.regex(await pull('127.0.0.1:5000/elsewhere:1'), /the image policy does not allow/);
});
