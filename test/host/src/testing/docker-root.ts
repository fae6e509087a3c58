import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { kernelFiles } from '@gantry/lib-linux/files';
import { type Header, pack } from 'tar-stream';
import { boltFile } from './bolt-file.js';

const run = promisify(execFile);
const digestOf = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

type Member = Partial<Header> & { readonly name: string } & { readonly content?: string | Buffer };

/** A data root as a stopped Docker leaves it: an image of two layers, a network, volumes and two containers. */
export async function makeDockerRoot(
  root: string,
): Promise<{ readonly image: string; readonly layers: readonly string[] }> {
  const busybox = await readFile('/bin/busybox');
  const links = ['sh', 'cat', 'ls', 'sleep', 'stat'].map(
    (name): Member => ({ name: `bin/${name}`, type: 'link', linkname: 'bin/busybox', mode: 0o755 }),
  );
  const base: readonly Member[] = [
    { name: 'bin/', type: 'directory', mode: 0o755 },
    { name: 'bin/busybox', mode: 0o755, content: busybox },
    ...links,
    { name: 'etc/', type: 'directory', mode: 0o755 },
    { name: 'etc/passwd', content: 'root:x:0:0::/:/bin/sh\n' },
    { name: 'etc/gone', content: 'gone' },
    { name: 'etc/old/', type: 'directory', mode: 0o750 },
    { name: 'etc/old/one', content: 'one' },
  ];
  const top: readonly Member[] = [
    { name: 'etc/', type: 'directory', mode: 0o755 },
    { name: 'etc/.wh.gone', content: '' },
    { name: 'etc/second', mode: 0o640, uid: 7, gid: 8, content: 'second' },
  ];
  const layers = [await makeLayer(root, 'lower1', base), await makeLayer(root, 'lower2', top)];
  await run('rm', [path.join(root, 'overlay2/lower2/diff/etc/.wh.gone')]);
  await run('mknod', [path.join(root, 'overlay2/lower2/diff/etc/gone'), 'c', '0', '0']);
  const [first = '', second = ''] = layers;
  const chains = [first, `sha256:${digestOf(`${first} ${second}`)}`];
  for (const [index, chain] of chains.entries()) await recordLayer(root, chain, `lower${index + 1}`);
  const configuration = JSON.stringify({
    architecture: 'amd64',
    os: 'linux',
    created: '2020-01-02T03:04:05Z',
    config: { Cmd: ['sleep', '600'], Env: ['FROM=docker'], Volumes: { '/anonymous': {} } },
    rootfs: { type: 'layers', diff_ids: layers },
    history: [{ created_by: 'base' }, { created_by: 'top' }],
  });
  const image = digestOf(configuration);
  await write(root, `image/overlay2/imagedb/content/sha256/${image}`, configuration);
  const intermediate = JSON.stringify({ ...JSON.parse(configuration), history: [] });
  await write(root, `image/overlay2/imagedb/content/sha256/${digestOf(intermediate)}`, intermediate);
  await write(root, `image/overlay2/imagedb/metadata/sha256/${image}/parent`, `sha256:${digestOf(intermediate)}`);
  const names = { 'own:1': `sha256:${image}`, [`own@sha256:${'1'.repeat(64)}`]: `sha256:${image}` };
  await write(root, 'image/overlay2/repositories.json', JSON.stringify({ Repositories: { own: names } }));
  await makeVolumes(root);
  await makeNetwork(root);
  await makeContainer(root, image);
  await write(root, 'buildkit/cache.db', 'cache');
  return { image: `sha256:${image}`, layers };
}

async function makeLayer(root: string, cacheId: string, members: readonly Member[]): Promise<string> {
  const archive = pack();
  for (const { content, ...header } of members) archive.entry({ mtime: new Date(0), ...header }, content as string);
  archive.finalize();
  const tar = await buffer(archive);
  const diff = path.join(root, 'overlay2', cacheId, 'diff');
  await mkdir(diff, { recursive: true });
  await write(root, `overlay2/${cacheId}/archive.tar`, tar);
  await run('tar', ['-x', '-p', '--same-owner', '-f', path.join(root, 'overlay2', cacheId, 'archive.tar'), '-C', diff]);
  await mkdir(path.join(root, 'overlay2/l'), { recursive: true });
  await symlink(`../${cacheId}/diff`, path.join(root, 'overlay2/l', cacheId.toUpperCase()));
  return `sha256:${digestOf(tar)}`;
}

async function recordLayer(root: string, chain: string, cacheId: string): Promise<void> {
  const directory = `image/overlay2/layerdb/sha256/${chain.slice(7)}`;
  const archive = path.join(root, 'overlay2', cacheId, 'archive.tar');
  await write(root, `${directory}/cache-id`, cacheId);
  await write(root, `${directory}/tar-split.json.gz`, gzipSync(splitOf(await readFile(archive))));
  await run('rm', [archive]);
}

/** The entries of tar-split: the content of files by their names, and everything between as it is. */
function splitOf(tar: Buffer): string {
  const lines: object[] = [];
  let segment = 0;
  for (let at = 0; at + 512 <= tar.length; ) {
    const name = tar.toString('utf8', at, at + 100).replace(/\0.*$/s, '');
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8) || 0;
    at += 512;
    if (size === 0) continue;
    lines.push({ type: 2, payload: tar.subarray(segment, at).toString('base64'), position: lines.length });
    lines.push({ type: 1, name, size, payload: 'AAAAAAAAAAA=', position: lines.length });
    segment = at + size;
    at += Math.ceil(size / 512) * 512;
  }
  lines.push({ type: 2, payload: tar.subarray(segment).toString('base64'), position: lines.length });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

async function makeVolumes(root: string): Promise<void> {
  await write(root, 'volumes/data/_data/file', 'text\n', 0o640);
  await write(root, 'volumes/anonymous1/_data/kept', 'kept\n');
  const records = {
    data: { Name: 'data', Driver: 'local', Labels: { kept: 'yes' }, Options: {} },
    anonymous1: { Name: 'anonymous1', Driver: 'local', Labels: null, Options: null },
    memory: { Name: 'memory', Driver: 'local', Options: { type: 'tmpfs', device: 'tmpfs' } },
    far: { Name: 'far', Driver: 'elsewhere' },
  };
  const values = Object.entries(records).map(([name, record]) => [name, Buffer.from(JSON.stringify(record))] as const);
  await write(root, 'volumes/metadata.db', boltFile('volumes', Object.fromEntries(values)));
}

async function makeNetwork(root: string): Promise<void> {
  const network = {
    name: 'inner',
    id: 'a'.repeat(64),
    networkType: 'bridge',
    scope: 'local',
    ipamType: 'default',
    ipamOptions: {},
    ipamV4Config: JSON.stringify([
      { PreferredPool: '10.127.5.0/24', SubPool: '', Gateway: '10.127.5.9', AuxAddresses: null },
    ]),
    internal: true,
    labels: { of: 'docker' },
    generic: { 'com.docker.network.enable_ipv6': false, 'com.docker.network.generic': {} },
  };
  const ingress = { ...network, name: 'ingress', scope: 'swarm', networkType: 'overlay' };
  const value = (record: object): Buffer => Buffer.concat([Buffer.alloc(8), Buffer.from(JSON.stringify(record))]);
  const prefix = 'docker/network/v1.0/network';
  await write(
    root,
    'network/files/local-kv.db',
    boltFile('libnetwork', {
      [`${prefix}/${network.id}/`]: value(network),
      [`${prefix}/${'b'.repeat(64)}/`]: value(ingress),
      [`${prefix}/${'c'.repeat(64)}/`]: value({ ...network, name: 'bridge' }),
    }),
  );
}

async function makeContainer(root: string, image: string): Promise<void> {
  const id = 'd'.repeat(64);
  const upper = path.join(root, 'overlay2/mounted/diff');
  await write(root, 'overlay2/mounted/diff/etc/passwd', 'changed\n');
  await write(root, 'overlay2/mounted/diff/etc/old/new', 'new\n');
  await run('mknod', [path.join(upper, 'etc/second'), 'c', '0', '0']);
  kernelFiles.setAttribute(path.join(upper, 'etc/old'), 'trusted.overlay.opaque', Buffer.from('y'));
  await write(root, 'overlay2/mounted/lower', 'l/LOWER2:l/LOWER1');
  await write(root, `image/overlay2/layerdb/mounts/${id}/mount-id`, 'mounted');
  const endpoint = { IPAMConfig: { IPv4Address: '10.127.5.7' }, Aliases: ['front', id.slice(0, 12)], NetworkID: 'x' };
  const record = {
    ID: id,
    Name: '/web',
    Image: `sha256:${image}`,
    Driver: 'overlay2',
    State: { Running: true },
    Config: { Hostname: 'web', Image: 'own:1', Cmd: ['sleep', '600'], Env: ['OWN=1'], Labels: { a: 'b' } },
    NetworkSettings: { Networks: { inner: endpoint } },
    MountPoints: {
      '/data': { Type: 'volume', Name: 'data', Destination: '/data', RW: true },
      '/anonymous': { Type: 'volume', Name: 'anonymous1', Destination: '/anonymous', RW: true },
    },
  };
  const hostConfig = {
    Binds: ['data:/data'],
    NetworkMode: 'inner',
    RestartPolicy: { Name: 'no', MaximumRetryCount: 0 },
  };
  await write(root, `containers/${id}/config.v2.json`, JSON.stringify(record));
  await write(root, `containers/${id}/hostconfig.json`, JSON.stringify(hostConfig));
  const damaged = 'e'.repeat(64);
  await write(root, `containers/${damaged}/config.v2.json`, '{"ID":');
}

async function write(root: string, name: string, content: string | Buffer, mode = 0o644): Promise<void> {
  const file = path.join(root, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content, { mode });
}
