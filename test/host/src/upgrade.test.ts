import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startDaemon } from '@gantry/test-nodes';
import test from 'ava';
import { wholeFiles } from './testing/fill-data-root.js';
import { textOf } from './testing/run-in.js';

const run = promisify(execFile);

/** Made by `write-data-root-main.js` of earlier engines. */
const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url));

for (const file of readdirSync(fixtures).filter((name) => name.startsWith('data-root-'))) {
  test(`${file} of an earlier engine is read, and what is in it works`, async (t) => {
    const { client, log } = await startDaemon(t, {
      prepare: async (directory) => {
        await run('tar', [...wholeFiles, '-C', directory, '-xzf', path.join(fixtures, file)]);
      },
    });
    t.notRegex(log(), /quarantine/);
    const container = client.getContainer('kept');
    const before = await container.inspect();
    t.like(before, {
      Name: '/kept',
      Config: { Image: 'kept:1', Cmd: ['/keep'], Labels: { of: 'container' } },
      HostConfig: { Memory: 64 * 1024 * 1024, NetworkMode: 'kept', Binds: ['kept:/data'] },
      NetworkSettings: { Networks: { kept: { IPAMConfig: { IPv4Address: '10.231.77.7' } } } },
    });
    t.true(before.Config.Env.includes('KEPT=yes'));
    t.true(before.NetworkSettings.Networks.kept?.Aliases?.includes('other'));
    t.like(before.Mounts[0], { Name: 'kept', Destination: '/data' });
    const { Labels, Mountpoint } = await client.getVolume('kept').inspect();
    t.deepEqual(Labels, { of: 'volume' });
    t.is(await readFile(path.join(Mountpoint, 'file'), 'utf8'), 'in the volume');
    t.like(await client.getNetwork('kept').inspect(), { Driver: 'bridge', Labels: { of: 'network' } });
    const images = (await client.listImages()).flatMap(({ RepoTags }) => RepoTags ?? []);
    t.deepEqual(images.sort(), ['kept:1', 'kept:2']);

    const linesBefore = await linesOf(container);
    t.true(linesBefore.length > 0 && linesBefore.every((line) => line === 'kept'), linesBefore.join());
    await container.start();
    t.is((await container.wait()).StatusCode, 7);
    t.is((await container.inspect()).Mounts[0]?.Source, Mountpoint, 'the data root is at another place');
    t.true((await linesOf(container)).length > linesBefore.length);

    const changed = await client.createContainer({ Image: 'kept:2', Cmd: ['/keep'] });
    t.is((await changed.inspect()).Config.Env?.includes('MORE=1'), true);
    await changed.start();
    t.is((await changed.wait()).StatusCode, 7);
    const changes = await client.getContainer('changed').changes();
    t.deepEqual(
      changes.map(({ Path }: { readonly Path: string }) => Path),
      ['/added'],
    );
  });
}

const linesOf = async (container: {
  logs(options: { readonly stdout: true; readonly follow: false }): Promise<Buffer>;
}): Promise<readonly string[]> =>
  textOf(await container.logs({ stdout: true, follow: false }))
    .split('\n')
    .filter((line) => line !== '');
