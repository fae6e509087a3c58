import type { ContainerLookup } from '../container-lookup.js';
import type { ContainerRecord, MountPoint } from '../record.js';
import { joinedContainer } from '../sandbox/joined-container.js';
import type { HostConfig } from '../schema.js';

/** A mount, and for a volume its driver and options. */
export interface EffectiveMount {
  readonly mount: Omit<MountPoint, 'image'> & { readonly image?: { readonly reference: string } };
  readonly volume?: { readonly driver: string; readonly options: Readonly<Record<string, string>> };
}

type EffectiveSource = Pick<ContainerRecord, 'config' | 'hostConfig' | 'networks' | 'imageName'> & {
  readonly mounts: readonly EffectiveMount[];
};

interface EffectiveMountBody {
  readonly Type: MountPoint['type'];
  readonly Source: string;
  readonly Target: string;
  readonly ReadOnly: boolean;
  readonly BindOptions?: { readonly Propagation: string };
  readonly VolumeOptions?: { readonly DriverConfig: { readonly Name: string; readonly Options: VolumeOptions } };
}

type VolumeOptions = Readonly<Record<string, string>>;

type EffectiveHostConfig = Omit<HostConfig, 'Mounts' | 'Binds' | ModeField> &
  Readonly<Record<ModeField, string>> & {
    readonly Binds: readonly string[];
    readonly Mounts: readonly EffectiveMountBody[];
  };

export type EffectiveContainer = ContainerRecord['config'] & {
  readonly Image: string;
  readonly HostConfig: EffectiveHostConfig;
  readonly NetworkingConfig: { readonly EndpointsConfig: ContainerRecord['networks'] };
};

/**
 * The body of a create that says of a container what it comes to, by the first and usual field for each thing:
 *
 * - a namespace that is shared with a container which uses the host's is the host's;
 * - every path of the host is among `Binds`: those of `Binds`, `Mounts`, `VolumesFrom`, and of volumes that bind a path;
 * - every mount is among `Mounts`, with the options of its volume; the networks are in `NetworkingConfig`.
 */
export function effectiveContainer(
  { config, hostConfig, networks, imageName, mounts }: EffectiveSource,
  containers: ContainerLookup,
): EffectiveContainer {
  return {
    ...config,
    Image: imageName,
    HostConfig: {
      ...hostConfig,
      NetworkMode: effectiveMode('NetworkMode', hostConfig, containers),
      PidMode: effectiveMode('PidMode', hostConfig, containers),
      IpcMode: effectiveMode('IpcMode', hostConfig, containers),
      Binds: mounts.flatMap(toBinds),
      Mounts: mounts.map(toMount),
    },
    NetworkingConfig: { EndpointsConfig: networks },
  };
}

type ModeField = 'NetworkMode' | 'PidMode' | 'IpcMode';

/** `host` where a chain of joined containers ends at the host, else the mode as it is. */
function effectiveMode(field: ModeField, hostConfig: HostConfig, containers: ContainerLookup): string {
  const mode = hostConfig[field] ?? '';
  const seen = new Set<string>();
  for (let current = mode; ; ) {
    const other = joinedContainer(current);
    if (other === undefined) return current === 'host' ? 'host' : mode;
    if (seen.has(other)) return mode;
    seen.add(other);
    try {
      current = containers.get(other).hostConfig[field] ?? '';
    } catch {
      // The start reports that it is absent.
      return mode;
    }
  }
}

const bind = (source: string, { destination, readWrite }: EffectiveMount['mount']): string =>
  `${source}:${destination}${readWrite ? '' : ':ro'}`;

/** The paths of the host behind a mount. */
function toBinds({ mount, volume }: EffectiveMount): readonly string[] {
  if (mount.type === 'bind') return [bind(mount.source, mount)];
  const { device = '', o = '', type = '' } = volume?.options ?? {};
  const bindsPath = device.startsWith('/') && (type === 'none' || o.split(',').some((word) => /^r?bind$/.test(word)));
  return bindsPath ? [bind(device, mount)] : [];
}

function toMount({ mount, volume }: EffectiveMount): EffectiveMountBody {
  return {
    Type: mount.type,
    Source: mount.image?.reference ?? (mount.type === 'volume' ? (mount.name ?? '') : mount.source),
    Target: mount.destination,
    ReadOnly: !mount.readWrite,
    ...(mount.propagation !== '' && { BindOptions: { Propagation: mount.propagation } }),
    ...(volume !== undefined && {
      VolumeOptions: { DriverConfig: { Name: volume.driver, Options: volume.options } },
    }),
  };
}
