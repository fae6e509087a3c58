import type {
  ContainerDetails,
  ContainerSummary,
  ImageSummary,
  NetworkDetails,
  PluginSummary,
  VolumeList,
} from '../wire.js';
import type { World } from '../world.js';

/** The state of all objects in the API as comparable lines, without ids and times. */
export async function stateOf(world: World): Promise<readonly string[]> {
  const { must } = world;
  const [containers, images, volumes, networks, plugins] = await Promise.all([
    must<ContainerSummary[]>('GET', '/containers/json?all=1'),
    must<ImageSummary[]>('GET', '/images/json'),
    must<VolumeList>('GET', '/volumes'),
    must<NetworkDetails[]>('GET', '/networks'),
    must<PluginSummary[]>('GET', '/plugins'),
  ]);
  const details = await Promise.all(containers.map(({ Id }) => world.ask('GET', `/containers/${Id}/json`)));
  return [
    ...details.flatMap((answer) => (answer?.status === 200 ? [containerLine(JSON.parse(answer.text))] : [])),
    ...images.flatMap(imageLines),
    ...(volumes.Volumes ?? []).map((volume) => `volume ${named(volume.Name)} ${volume.Driver}`),
    ...networks.map((network) => {
      const inside = Object.values(network.Containers).map(({ Name }) => Name);
      return `network ${network.Name} ${network.Driver} with ${inside.sort().join(' ')}`;
    }),
    ...plugins.map(({ Name, Active }) => `plugin ${Name} ${Active}`),
  ].sort();
}

function containerLine({ Name, State, HostConfig, Mounts, NetworkSettings }: ContainerDetails): string {
  const code = State.Status === 'exited' ? ` ${State.ExitCode}` : '';
  const mounts = Mounts.map((mount) => `${named(mount.Name ?? '')}:${mount.Destination}`).sort();
  const networks = Object.keys(NetworkSettings.Networks).sort();
  return [
    `container ${Name} ${State.Status}${code}`,
    `memory ${HostConfig.Memory} restart ${HostConfig.RestartPolicy.Name}`,
    `mounts ${mounts.join(' ')} networks ${networks.join(' ')}`,
  ].join(', ');
}

/** An image without a name is one that steps of a build left for the next. */
const imageLines = ({ RepoTags, RepoDigests }: ImageSummary): readonly string[] =>
  [...(RepoTags ?? []), ...(RepoDigests ?? [])]
    .filter((name) => !name.startsWith('<none>'))
    .map((name) => `image ${name.replace(/@sha256:.*/, '@digest')}`);

/** Anonymous volumes are called by 64 hexadecimal digits. */
const named = (name: string): string => (/^[0-9a-f]{64}$/.test(name) ? 'anonymous' : name);
