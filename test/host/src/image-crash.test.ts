import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Daemon, startDaemon } from '@gantry/test-nodes';
import test from 'ava';
import { imageArchive, rootArchive } from './testing/image-archive.js';

/** Every engine comes with it. */
const starter = 'busybox:latest';

/** Status and body; undefined when the daemon died over it. */
function ask(
  daemon: Daemon,
  method: string,
  target: string,
  body?: Buffer,
): Promise<{ readonly status: number; readonly body: string } | undefined> {
  return new Promise((resolve) => {
    const headers = { 'Content-Type': 'application/x-tar' };
    request({ socketPath: daemon.socket, method, path: `/v1.24${target}`, headers }, (response) => {
      buffer(response).then(
        (bytes) => resolve({ status: response.statusCode ?? 0, body: String(bytes) }),
        () => resolve(undefined),
      );
    })
      .on('error', () => resolve(undefined))
      .end(body);
  });
}

const load = (daemon: Daemon) => ask(daemon, 'POST', '/images/load', imageArchive);
const importOne = (daemon: Daemon) => ask(daemon, 'POST', '/images/create?fromSrc=-&repo=imported', rootArchive);
const removeOne = (daemon: Daemon) => ask(daemon, 'DELETE', '/images/web:1');

const layersOnDisk = async (daemon: Daemon) =>
  (await readdir(path.join(daemon.directory, 'data/drivers/storage-overlayfs/layers'))).length;

/** Every image is whole, and nothing is on the disk that none of them needs. Resolves to the names a test gave. */
async function whole(daemon: Daemon): Promise<readonly string[]> {
  const { said, code } = await daemon.command('check');
  if (code !== 0) throw new Error(said);
  const images = await daemon.client.listImages();
  const ids = new Set<string>();
  for (const { Id } of images) {
    const saved = await ask(daemon, 'GET', `/images/${Id}/get`);
    if (saved?.status !== 200 || saved.body.length < 2048) throw new Error(`image ${Id} cannot be read`);
    for (const layer of (await daemon.client.getImage(Id).inspect()).RootFS?.Layers ?? []) ids.add(layer);
  }
  const there = await layersOnDisk(daemon);
  if (there !== ids.size) throw new Error(`${there} layers are on the disk, ${ids.size} in images`);
  return images.flatMap(({ RepoTags }) => RepoTags ?? []).filter((name) => name !== starter);
}

const points = {
  load: [
    'storage.layer.extracted',
    'storage.layer.prepared',
    'storage.layer.added',
    'image.layer.applied',
    'image.load.record',
  ],
  import: ['storage.layer.added', 'image.import.record'],
  remove: ['image.remove.recorded'],
} as const;

const actions = { load, import: importOne, remove: removeOne };

test.serial('after a kill during a change of images, the next start has all of it or none', async (t) => {
  t.timeout(300_000);
  const daemon = await startDaemon(t);
  // One daemon for all points: it dies at the point that the file names.
  const armed = path.join(daemon.directory, 'crash-at');
  await writeFile(armed, '');
  await daemon.restart({ crashAt: `@${armed}` });
  for (const [name, places] of Object.entries(points) as [keyof typeof points, readonly string[]][]) {
    for (const place of places) {
      if (name === 'remove') t.is((await load(daemon))?.status, 200);
      await writeFile(armed, place);
      t.is(await actions[name](daemon), undefined, place);
      await daemon.died();
      await writeFile(armed, '');
      await daemon.restart({ crashAt: `@${armed}` });
      t.deepEqual(await whole(daemon), [], place);
      if (name === 'remove') continue;
      t.is((await actions[name](daemon))?.status, 200, place);
      const [made, ...others] = await whole(daemon);
      t.deepEqual(others, [], place);
      t.is((await ask(daemon, 'DELETE', `/images/${made}`))?.status, 200, place);
    }
  }
});

test.serial('a check lists orphans, and removes them', async (t) => {
  const daemon = await startDaemon(t);
  t.is((await load(daemon))?.status, 200);
  t.deepEqual(await daemon.command('check'), { code: 0, said: 'no orphans found\n' });
  await mkdir(path.join(daemon.directory, 'data/plugins/images/uploads/stray'));
  const found = await daemon.command('check');
  t.is(found.code, 1);
  t.regex(found.said, /images +upload +.*stray +its load is over/);
  const container = path.join(daemon.directory, 'data/plugins/containers', 'c'.repeat(64));
  await mkdir(container);
  t.false((await daemon.command('check')).said.includes('container directory'), 'it may be of a create that runs');
  await utimes(container, 1, 1);
  t.regex((await daemon.command('check')).said, /containers +container directory +c{64} +no container has it/);
  t.is((await daemon.command('check', '--remove')).code, 0);
  t.is((await daemon.command('check')).code, 0);
  t.deepEqual(await whole(daemon), ['web:1']);
});
