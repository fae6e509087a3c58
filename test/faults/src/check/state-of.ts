import type {
  ContainerDetails,
  ContainerSummary,
  ImageSummary,
  NetworkDetails,
  PluginSummary,
  ServiceSummary,
  SwarmDetails,
  TaskSummary,
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
    ...details.flatMap((answer) => (answer?.status === 200 ? containerLines(JSON.parse(answer.text)) : [])),
    ...images.flatMap(imageLines),
    ...(volumes.Volumes ?? []).map((volume) => `volume ${named(volume.Name)} ${volume.Driver}`),
    ...networks.map((network) => {
      const inside = Object.values(network.Containers).map(({ Name }) => `/${Name}`.replace(taskName, '$1'));
      return `network ${network.Name} ${network.Driver} with ${inside.sort().join(' ')}`;
    }),
    ...plugins.map(({ Name, Active }) => `plugin ${Name} ${Active}`),
    ...(await swarmLines(world)),
  ].sort();
}

/** Of the containers of tasks only those that run: how many have ended depends on when something was killed. */
function containerLines(details: ContainerDetails): readonly string[] {
  const isOfTask = taskName.test(details.Name);
  return isOfTask && !details.State.Running ? [] : [containerLine(details).replace(taskName, '$1')];
}

/** `/service.slot.id`. */
const taskName = /(\/[\w-]+\.\d+)\.[0-9a-z]{25}\b/;

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

/** The swarm with what it has to run, and what runs of it. Its containers are listed with the others. */
async function swarmLines({ ask, must }: World): Promise<readonly string[]> {
  const swarm = await ask('GET', '/swarm');
  if (swarm?.status === 406) return [];
  const [services, tasks, secrets] = await Promise.all([
    must<ServiceSummary[]>('GET', '/services'),
    must<TaskSummary[]>('GET', '/tasks'),
    must<{ readonly Spec: { readonly Name: string } }[]>('GET', '/secrets'),
  ]);
  const running = tasks.filter(({ DesiredState, Status }) => DesiredState === 'running' && Status.State === 'running');
  const { RootRotationInProgress, Spec } = JSON.parse(swarm?.text ?? '{}') as SwarmDetails;
  return [
    'swarm',
    `rotation ${Spec.CAConfig.ForceRotate ?? 0}${RootRotationInProgress ? ' in progress' : ''}`,
    ...services.map(
      ({ Spec }) => `service ${Spec.Name} of ${Spec.Mode.Replicated?.Replicas} ${envOf(Spec.TaskTemplate)}`,
    ),
    ...running.map(({ Slot, Spec }) => `task in slot ${Slot} ${envOf(Spec)}`),
    ...secrets.map(({ Spec }) => `secret ${Spec.Name}`),
  ];
}

const envOf = ({ ContainerSpec }: TaskSummary['Spec']): string => (ContainerSpec.Env ?? []).join(' ');

/** An image without a name is one that steps of a build left for the next. */
const imageLines = ({ RepoTags, RepoDigests }: ImageSummary): readonly string[] =>
  [...(RepoTags ?? []), ...(RepoDigests ?? [])]
    .filter((name) => !name.startsWith('<none>'))
    .map((name) => `image ${name.replace(/@sha256:.*/, '@digest')}`);

/** Anonymous volumes are called by 64 hexadecimal digits. */
const named = (name: string): string => (/^[0-9a-f]{64}$/.test(name) ? 'anonymous' : name);
