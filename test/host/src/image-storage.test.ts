import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Daemon, startDaemon } from '@gantry/test-nodes';
import test from 'ava';
import { extract, pack } from 'tar-stream';
import { startStubRegistry } from './testing/stub-registry.js';

/** Every engine comes with it. */
const starter = 'busybox:latest';

interface Entry {
  readonly name: string;
  readonly content?: string | Buffer;
  /** What a hard or symbolic link leads to. */
  readonly link?: string;
  readonly symlink?: string;
}

async function archiveOf(entries: readonly Entry[]): Promise<Buffer> {
  const archive = pack();
  for (const { name, content = '', link, symlink } of entries) {
    const type = link !== undefined ? 'link' : symlink !== undefined ? 'symlink' : 'file';
    const linkname = link ?? symlink;
    archive.entry(
      { name, type, mtime: new Date(0), ...(linkname !== undefined && { linkname }) },
      type === 'file' ? content : '',
    );
  }
  archive.finalize();
  return buffer(archive);
}

/** An archive of images, by their names, of layers from the bottom up. */
async function imagesOf(images: Readonly<Record<string, readonly Buffer[]>>): Promise<Buffer> {
  const members = new Map<string, Buffer | string>();
  const manifest = Object.entries(images).map(([name, layers]) => {
    const diffIds = layers.map((layer) => createHash('sha256').update(layer).digest('hex'));
    for (const [index, diffId] of diffIds.entries()) members.set(`${diffId}.tar`, layers[index] ?? '');
    const rootfs = { type: 'layers', diff_ids: diffIds.map((diffId) => `sha256:${diffId}`) };
    const config = { Cmd: ['sh'], Env: ['PATH=/bin'] };
    members.set(`${name}.json`, JSON.stringify({ architecture: 'amd64', os: 'linux', config, rootfs }));
    return { Config: `${name}.json`, RepoTags: [`${name}:1`], Layers: diffIds.map((diffId) => `${diffId}.tar`) };
  });
  return archiveOf([
    ...[...members].map(([name, content]) => ({ name, content })),
    { name: 'manifest.json', content: JSON.stringify(manifest) },
  ]);
}

async function load(daemon: Daemon, archive: Buffer): Promise<void> {
  const answer = String(await buffer(await daemon.client.loadImage(Readable.from([archive]) as never)));
  if (!answer.includes('Loaded image')) throw new Error(answer);
}

const layersIn = (daemon: Daemon) => path.join(daemon.directory, 'data/drivers/storage-overlayfs/layers');

/** What `du --apparent-size` counts, without directories: a file with several names once. */
async function diskUsage(directory: string): Promise<number> {
  const inodes = new Map<number, number>();
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    if (entry.isDirectory()) continue;
    const status = await lstat(path.join(entry.parentPath, entry.name));
    inodes.set(status.ino, status.size);
  }
  return [...inodes.values()].reduce((sum, size) => sum + size, 0);
}

test.serial('the size of images matches their disk usage, and removal frees all of it', async (t) => {
  const daemon = await startDaemon(t);
  await daemon.client.getImage(starter).inspect(); // answered when it is made
  const before = await readdir(layersIn(daemon));
  const base = await archiveOf([
    { name: 'dir/file', content: 'replaced below' },
    { name: 'dir/file', content: Buffer.alloc(100_000, 'x') },
    { name: 'again', link: 'dir/file' },
    { name: 'link', symlink: 'dir/file' },
  ]);
  const [one, two] = [
    await archiveOf([{ name: 'dir/.wh.file' }, { name: 'one', content: 'one' }]),
    await archiveOf([{ name: '.wh..wh..opq' }, { name: 'two', content: Buffer.alloc(7) }]),
  ];
  await load(daemon, await imagesOf({ one: [base, one], two: [base, two] }));

  const sizeOf = async (name: string) => (await daemon.client.getImage(name).inspect()).Size;
  const inBase = 100_000 + 'dir/file'.length;
  t.deepEqual([await sizeOf('one:1'), await sizeOf('two:1')], [inBase + 3, inBase + 7]);
  const fresh = (await readdir(layersIn(daemon))).filter((layer) => !before.includes(layer));
  const onDisk = await Promise.all(fresh.map((layer) => diskUsage(path.join(layersIn(daemon), layer, 'diff'))));
  t.deepEqual(
    onDisk.sort((a, b) => b - a),
    [inBase, 7, 3],
    'what is shared is there once',
  );

  const container = await daemon.client.createContainer({ Image: starter, Cmd: ['true'] });
  const commit = (await container.commit({ repo: 'three' })) as { readonly Id: string };
  await container.remove();
  for (const name of ['one:1', 'two:1', commit.Id]) await daemon.client.getImage(name).remove();
  t.deepEqual(await readdir(layersIn(daemon)), before);
  t.deepEqual(await readdir(path.join(layersIn(daemon), '../writables')), []);
  t.is((await daemon.command('check')).code, 0);
});

test.serial('an image of 127 layers runs, and one more is committed, saved and loaded', async (t) => {
  const daemon = await startDaemon(t);
  const saved = await buffer(await daemon.client.getImage(starter).get());
  const { RootFS } = await daemon.client.getImage(starter).inspect();
  const bottom = await layerOf(saved, String(RootFS?.Layers?.[0]));
  const count = 126;
  const more = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      archiveOf([
        { name: `layers/${index}`, content: `${index}` },
        { name: 'top', content: `${index}` },
      ]),
    ),
  );
  await load(daemon, await imagesOf({ tall: [bottom, ...more] }));
  const script = `ls /layers | wc -l; cat /top /layers/0; echo; rm /layers/3; echo new > /layers/new`;
  const container = await daemon.client.createContainer({ Image: 'tall:1', Cmd: ['sh', '-c', script], Tty: true });
  await container.start();
  t.is((await container.wait()).StatusCode, 0);
  t.deepEqual(String(await container.logs({ stdout: true })).split(/\s+/), [`${count}`, `${count - 1}0`, '']);
  const { Id } = (await container.commit({ repo: 'taller', tag: '1' })) as { readonly Id: string };
  await container.remove();
  const archive = await buffer(await daemon.client.getImage('taller:1').get());
  await daemon.client.getImage('taller:1').remove();
  await load(daemon, archive);
  const again = await daemon.client.getImage('taller:1').inspect();
  t.deepEqual([again.Id, again.RootFS?.Layers?.length], [Id, count + 2]);
  const check = await daemon.client.createContainer({ Image: 'taller:1', Cmd: ['sh', '-c', 'ls /layers | wc -l'] });
  await check.start();
  t.is((await check.wait()).StatusCode, 0);
  t.regex(String(await check.logs({ stdout: true })), new RegExp(`${count}\n$`));
});

/** The layer of that digest, out of an archive of an image. */
async function layerOf(archive: Buffer, digest: string): Promise<Buffer> {
  const reading = extract();
  reading.end(archive);
  for await (const entry of reading) {
    const content = await buffer(entry);
    if (`sha256:${createHash('sha256').update(content).digest('hex')}` === digest) return content;
  }
  throw new Error(`the archive has no layer ${digest}`);
}

const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

test('an image whose layer is compressed by zstd is pulled', async (t) => {
  const daemon = await startDaemon(t);
  const host = await startStubRegistry(t);
  const put = (target: string, body: Buffer, type = 'application/octet-stream') =>
    fetch(`http://${host}/v2/app/${target}`, {
      method: 'PUT',
      body: new Uint8Array(body),
      headers: { 'Content-Type': type },
    });
  const blob = async (bytes: Buffer, mediaType: string) => {
    await put(`blobs/uploads/one?digest=${digestOf(bytes)}`, bytes);
    return { mediaType, digest: digestOf(bytes), size: bytes.length };
  };
  const tar = await archiveOf([{ name: 'made', content: 'by zstd' }]);
  const layer = execFileSync('zstd', ['-q', '-c'], { input: tar });
  const configuration = Buffer.from(
    JSON.stringify({
      os: 'linux',
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      rootfs: { type: 'layers', diff_ids: [digestOf(tar)] },
    }),
  );
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  const manifest = {
    schemaVersion: 2,
    mediaType,
    config: await blob(configuration, 'application/vnd.oci.image.config.v1+json'),
    layers: [await blob(layer, 'application/vnd.oci.image.layer.v1.tar+zstd')],
  };
  await put('manifests/zstd', Buffer.from(JSON.stringify(manifest)), mediaType);
  const { client } = daemon;
  await client.createImage({ fromImage: `${host}/app`, tag: 'zstd' }).then((stream) => buffer(stream));
  const container = await client.createContainer({ Image: `${host}/app:zstd`, Cmd: ['none'] });
  const file = await buffer(await container.getArchive({ path: '/made' }));
  t.true(file.includes('by zstd'));
});
