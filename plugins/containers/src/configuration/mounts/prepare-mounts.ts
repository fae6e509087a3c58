import { invalidArgument } from '@gantry/core/errors';
import type { ContainerLookup } from '../../container-lookup.js';
import type { ContainerConfig, HostConfig, Mount } from '../../schema.js';
import { anonymousVolume } from './anonymous-volume.js';
import { checkDestination } from './mount-paths.js';
import { mountsFrom } from './mounts-from.js';
import { parseBind } from './parse-bind.js';
import { parseMount } from './parse-mount.js';
import type { PreparedMount } from './prepared-mount.js';
import { type ReadOnlyBinds, withReadOnly } from './read-only-binds.js';
import { tmpfsMount } from './tmpfs-mount.js';

const depth = ({ destination }: PreparedMount): number => destination.split('/').length;

/**
 * Everything that is mounted into a container, the less deep first. What a client mounts itself goes before mounts of
 * other containers, and those before the volumes of the configuration.
 * @throws EngineError `invalid-argument`.
 */
export function prepareMounts(
  config: ContainerConfig,
  hostConfig: HostConfig,
  containers: ContainerLookup,
  { hidden = [], ...binds }: ReadOnlyBinds & { readonly hidden?: readonly Mount[] },
): readonly PreparedMount[] {
  const { Binds = [], Mounts = [], Tmpfs = {}, VolumesFrom = [], VolumeDriver: driver = '' } = hostConfig;
  const inherited = VolumesFrom.flatMap((text) => mountsFrom(text, containers));
  const own = new Map<string, PreparedMount>();
  for (const mount of [
    ...Object.entries(Tmpfs).map(([target, options]) => tmpfsMount(target, options)),
    ...Binds.map((text) => withReadOnly(parseBind(text, driver), {}, binds)),
    ...Mounts.map((mount) => withReadOnly(parseMount(mount, driver), mount.BindOptions, binds)),
    ...hidden.map((mount) => ({ ...parseMount(mount, ''), hidden: true }) as const),
  ]) {
    if (own.has(mount.destination)) throw invalidArgument(`Duplicate mount point: ${mount.destination}`);
    own.set(mount.destination, mount);
  }
  const volumes = Object.keys(config.Volumes ?? {}).map((target) => anonymousVolume(checkDestination(target), driver));
  const all = new Map([...volumes, ...inherited].map((mount) => [mount.destination, mount]));
  for (const [destination, mount] of own) all.set(destination, mount);
  return [...all.values()].sort((a, b) => depth(a) - depth(b));
}
