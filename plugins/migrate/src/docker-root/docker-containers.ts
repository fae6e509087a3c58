import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { messageOf } from '@gantry/core/errors';
import { type JsonRecord, readJson, recordOf, textOf, textsOf } from './read-json.js';

export interface DockerContainer {
  readonly id: string;
  readonly name: string;
  /** The id of its image. */
  readonly image: string;
  /** It ran when Docker ended, or was to run again at its next start. */
  readonly wasRunning: boolean;
  /** The body of a request that creates it. */
  readonly request: JsonRecord;
  /** What it changed, and the directories below it, topmost first; undefined when it is of another storage driver. */
  readonly layer: { readonly upper: string; readonly lower: readonly string[] } | undefined;
  /** Networks it is on beside the first one, with how. */
  readonly otherNetworks: readonly (readonly [name: string, endpoint: JsonRecord])[];
}

/** Containers of a Docker data root, or why one cannot be read. */
export async function readDockerContainers(
  root: string,
): Promise<readonly (DockerContainer | { readonly id: string; readonly unreadable: string })[]> {
  const directory = join(root, 'containers');
  const ids = (await readdir(directory).catch((): string[] => [])).filter((name) => /^[0-9a-f]{64}$/.test(name));
  return Promise.all(
    ids.sort().map(async (id) => {
      try {
        return await readContainer(root, id);
      } catch (error) {
        return { id, unreadable: messageOf(error) };
      }
    }),
  );
}

async function readContainer(root: string, id: string): Promise<DockerContainer> {
  const directory = join(root, 'containers', id);
  const record = await readJson(join(directory, 'config.v2.json'));
  const hostConfig = await readJson(join(directory, 'hostconfig.json'));
  const endpoints = Object.entries(recordOf(recordOf(record.NetworkSettings).Networks))
    .filter(([name]) => !['host', 'none'].includes(name))
    .map(([name, endpoint]) => [name, endpointOf(recordOf(endpoint), id)] as const);
  const mode = textOf(hostConfig.NetworkMode) || 'default';
  const first = endpoints.find(([name]) => name === (mode === 'default' ? 'bridge' : mode));
  const isAttached = !/^(container:|host$|none$)/.test(mode);
  return {
    id,
    name: textOf(record.Name).replace(/^\//, ''),
    image: textOf(record.Image),
    wasRunning: recordOf(record.State).Running === true,
    request: {
      ...recordOf(record.Config),
      HostConfig: { ...hostConfig, ...withVolumes(hostConfig, record) },
      ...(first !== undefined &&
        isAttached &&
        mode !== 'default' && { NetworkingConfig: { EndpointsConfig: { [first[0]]: first[1] } } }),
    },
    layer: textOf(record.Driver) === 'overlay2' ? await readLayer(root, id) : undefined,
    otherNetworks: isAttached ? endpoints.filter((endpoint) => endpoint !== first) : [],
  };
}

/** What the user has asked for: the rest was chosen by the engine. */
function endpointOf(endpoint: JsonRecord, id: string): JsonRecord {
  const { IPAMConfig, Links, Aliases, DriverOpts } = endpoint;
  const aliases = textsOf(Aliases).filter((alias) => alias !== id.slice(0, 12));
  return {
    ...(IPAMConfig !== null && IPAMConfig !== undefined && { IPAMConfig }),
    ...(textsOf(Links).length > 0 && { Links }),
    ...(aliases.length > 0 && { Aliases: aliases }),
    ...(DriverOpts !== null && DriverOpts !== undefined && { DriverOpts }),
  };
}

/** Binds with those volumes that are named nowhere but in the record, such as those of the image's paths. */
function withVolumes(hostConfig: JsonRecord, record: JsonRecord): { readonly Binds?: readonly string[] } {
  const binds = textsOf(hostConfig.Binds);
  const mounts = Array.isArray(hostConfig.Mounts) ? hostConfig.Mounts.map(recordOf) : [];
  const known = new Set([
    ...binds.map((bind) => bind.split(':')[1] ?? bind),
    ...mounts.map((mount) => textOf(mount.Target)),
  ]);
  const unnamed = Object.values(recordOf(record.MountPoints))
    .map(recordOf)
    .filter(
      ({ Type, Name, Destination }) => Type === 'volume' && textOf(Name) !== '' && !known.has(textOf(Destination)),
    )
    .map(({ Name, Destination, RW }) => `${Name}:${Destination}${RW === false ? ':ro' : ''}`);
  return binds.length + unnamed.length === 0 ? {} : { Binds: [...binds, ...unnamed] };
}

async function readLayer(root: string, id: string): Promise<DockerContainer['layer']> {
  const layers = join(root, 'overlay2');
  const mountId = (await readFile(join(root, 'image/overlay2/layerdb/mounts', id, 'mount-id'), 'utf8')).trim();
  const lower = (await readFile(join(layers, mountId, 'lower'), 'utf8')).trim().split(':');
  // Each is a link such as l/ABC, which leads to ../ID/diff.
  return {
    upper: join(layers, basename(mountId), 'diff'),
    lower: await Promise.all(lower.map(async (link) => resolve(layers, 'l', await readlink(join(layers, link))))),
  };
}
