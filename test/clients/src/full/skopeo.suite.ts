import path from 'node:path';
import { finished } from 'node:stream/promises';
import test from 'ava';
import { startClientHost } from '../testing/client-host.js';

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
