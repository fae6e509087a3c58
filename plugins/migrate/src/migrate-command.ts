import { closeSync, openSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ArchiveDrivers } from '@gantry/core/contracts';
import type { OfflineContext } from '@gantry/core/driver';
import { conflict, invalidArgument, messageOf, notFound, notImplemented, unavailable } from '@gantry/core/errors';
import { localHostOf } from '@gantry/engine-api/service';
import { isErrno } from '@gantry/lib-linux';
import { Files } from '@gantry/lib-linux/files';
import { EngineClient } from 'gantry-client';
import { readDockerContainers } from './docker-root/docker-containers.js';
import { type DockerImage, readDockerImages } from './docker-root/docker-images.js';
import { type DockerNetwork, readDockerNetworks } from './docker-root/docker-networks.js';
import { type DockerVolume, readDockerVolumes } from './docker-root/docker-volumes.js';
import { Migration, type Outcome } from './migration.js';
import { MigrationRecord } from './migration-record.js';

const usage = [
  'usage: gantryd migrate DOCKER_DATA_ROOT [--host unix://PATH] [--config FILE]',
  '',
  '  Makes what a stopped Docker keeps in its data root, usually /var/lib/docker, in the running engine: images, networks,',
  '  volumes, and containers with the files they changed. Only reads there. What cannot be moved is named, and the exit code',
  '  is 1 then. It can be repeated: what is there already stays as it is, and what was begun is finished.',
  '',
  '  --host   the socket of the engine, where its configuration names none',
];

/** `gantryd migrate`. @throws EngineError before anything has changed. */
export async function* migrateCommand(
  args: readonly string[],
  context: OfflineContext,
): AsyncGenerator<string, number> {
  const { root, host } = parse(args);
  if (root === undefined) {
    yield* usage;
    return 0;
  }
  const { settings, dataRoot, isDaemonRunning, port, driver, ask } = context;
  await checkRoot(root);
  if (!isDaemonRunning) throw unavailable('the engine does not run: start it first');
  if (String(settings.engine.dataRoot) !== dataRoot) {
    throw notImplemented(
      '"usernsRemap" is set: the files of Docker belong to other users than this engine gives containers',
    );
  }
  const engine = await reach(localHostOf(host === undefined ? listening(settings.packages) : [host]));
  const release = lockRoot(root, port(Files));
  try {
    const record = await MigrationRecord.open(dataRoot, root);
    const migration = new Migration({ engine, record, archive: await driver(ArchiveDrivers), ask });
    const counts = { moved: 0, 'there already': 0, 'not moved': 0 };
    const objects = await readRoot(root, port(Files));
    for await (const outcome of outcomes(objects, migration)) {
      counts[outcome.is] += 1;
      yield lineOf(outcome);
    }
    if (objects.intermediates > 0) yield `left where it is: intermediate images of builds, ${objects.intermediates}`;
    for (const line of await othersIn(root)) yield `left where it is: ${line}`;
    yield Object.entries(counts)
      .map(([is, count]) => `${count} ${is}`)
      .join(', ');
    return counts['not moved'] > 0 ? 1 : 0;
  } finally {
    release();
  }
}

function parse(args: readonly string[]): { readonly root?: string; readonly host?: string } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { host: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
    if (values.help === true) return {};
    const [root, ...others] = positionals;
    if (root === undefined || others.length > 0) throw invalidArgument('one data root is wanted');
    return { root: resolve(root), ...(values.host !== undefined && { host: values.host }) };
  } catch (error) {
    throw invalidArgument(`gantryd migrate: ${messageOf(error)}; see --help`, { cause: error });
  }
}

const listening = (packages: Readonly<Record<string, unknown>>): readonly string[] =>
  (packages['engine-api'] as { readonly hosts?: readonly string[] } | undefined)?.hosts ?? [];

async function reach(host: string): Promise<EngineClient> {
  const engine = new EngineClient(host);
  try {
    await engine.version();
  } catch (error) {
    throw unavailable(`the engine at ${host} does not answer: ${messageOf(error)}`, { cause: error });
  }
  return engine;
}

interface DockerObjects {
  readonly images: readonly DockerImage[];
  readonly networks: readonly DockerNetwork[];
  readonly volumes: readonly DockerVolume[];
  readonly containers: Awaited<ReturnType<typeof readDockerContainers>>;
  /** How many images there are that builds made on the way, and no container uses. */
  readonly intermediates: number;
}

async function readRoot(root: string, files: Files): Promise<DockerObjects> {
  const [all, networks, volumes, containers] = await Promise.all([
    readDockerImages(root, files),
    readDockerNetworks(root),
    readDockerVolumes(root),
    readDockerContainers(root),
  ]);
  const used = new Set(containers.flatMap((container) => ('image' in container ? [container.image] : [])));
  const images = all.filter(({ id, isIntermediate }) => !isIntermediate || used.has(id));
  return { images, networks, volumes, containers, intermediates: all.length - images.length };
}

/** In the order of what needs what. */
async function* outcomes(objects: DockerObjects, migration: Migration): AsyncGenerator<Outcome> {
  for (const image of objects.images) yield await migration.image(image);
  for (const network of objects.networks) yield await migration.network(network);
  for (const volume of objects.volumes) yield await migration.volume(volume);
  for (const container of objects.containers) {
    if ('unreadable' in container) {
      yield { what: `container ${container.id.slice(0, 12)}`, is: 'not moved', reason: container.unreadable };
    } else yield await migration.container(container);
  }
}

function lineOf(outcome: Outcome): string {
  const { what, is } = outcome;
  const more = is === 'not moved' ? outcome.reason : outcome.note;
  return more === undefined ? `${is}: ${what}` : `${is}: ${what}: ${more}`;
}

async function checkRoot(root: string): Promise<void> {
  const names = await namesIn(root);
  if (names === undefined) throw notFound(`there is no directory ${root}`);
  if (!names.includes('image') && !names.includes('volumes')) {
    throw invalidArgument(`${root} is no data root of Docker: it has neither images nor volumes`);
  }
}

/** Docker holds the lock of its database of volumes while it runs. @returns releases it. */
function lockRoot(root: string, files: Files): () => void {
  let fd: number;
  try {
    fd = openSync(join(root, 'volumes', 'metadata.db'), 'r');
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return () => undefined;
    throw error;
  }
  if (files.tryLock(fd)) return () => closeSync(fd);
  closeSync(fd);
  throw conflict(`Docker runs on ${root}: stop it first`);
}

/** What a data root may hold beside what is moved, with what it is. */
const others: readonly (readonly [path: string, what: string])[] = [
  ['swarm', 'the membership in a swarm, with its services, secrets and configs'],
  ['plugins', 'managed plugins: install them again'],
  ['buildkit', 'the build cache'],
  ['trust', 'keys of content trust'],
  [
    'containerd/daemon/io.containerd.content.v1.content/blobs',
    'images of the containerd image store: save them there, and load them here',
  ],
  ['rootfs', 'containers of the containerd image store'],
];

async function othersIn(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [path, what] of others) {
    if (await hasFiles(join(root, path))) found.push(what);
  }
  for (const name of (await namesIn(join(root, 'image'))) ?? []) {
    if (name !== 'overlay2') found.push(`images and containers of the storage driver ${name}`);
  }
  for (const name of (await namesIn(root)) ?? []) {
    if (/^\d+\.\d+$/.test(name)) found.push(`${name}, the data of remapped users: name it as the data root`);
  }
  if (((await namesIn(join(root, 'containers'))) ?? []).length > 0) found.push('the logs of containers');
  return found;
}

/** Whether there is more than directories. */
async function hasFiles(directory: string): Promise<boolean> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries.some((entry) => !entry.isDirectory());
}

const namesIn = (directory: string): Promise<string[] | undefined> =>
  readdir(directory).catch((error: unknown) => {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  });
