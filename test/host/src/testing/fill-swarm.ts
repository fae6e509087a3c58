import { eventually, type SwarmNode } from '@gantry/test-nodes';
import type Docker from 'dockerode';

/** The fixture's certificates are to be good as long as the fixture is. */
const tenYears = 315_360_000e9;

/** How the program of the image `kept:1` ends: see `fillDataRoot`. */
const outcome = 'task: non-zero exit (7)';

/** Resolves when the program of a service has ended on both nodes. */
export async function untilRun(client: Docker, service: string): Promise<void> {
  await eventually(`the program of ${service} has run on both nodes`, async () => {
    const tasks = (await client.listTasks({ filters: { service: [service] } })) as readonly {
      readonly NodeID: string;
      readonly Status: { readonly Err?: string };
    }[];
    const ended = tasks.filter(({ Status }) => Status.Err === outcome);
    return new Set(ended.map(({ NodeID }) => NodeID)).size === 2;
  });
}

/** Makes a swarm of two nodes that have the image `kept:1`, with one of everything that a swarm keeps. */
export async function fillSwarm(manager: SwarmNode, worker: SwarmNode): Promise<void> {
  const { client, address } = manager;
  await client.swarmInit({
    ListenAddr: '0.0.0.0:2377',
    AdvertiseAddr: address,
    Spec: { Labels: { of: 'swarm' }, CAConfig: { NodeCertExpiry: tenYears } },
  });
  const { JoinTokens } = (await client.swarmInspect()) as { readonly JoinTokens: { readonly Worker: string } };
  await worker.client.swarmJoin({
    ListenAddr: '0.0.0.0:2377',
    RemoteAddrs: [`${address}:2377`],
    JoinToken: JoinTokens.Worker,
  });
  const data = (text: string): string => Buffer.from(text).toString('base64');
  const { id: SecretID } = await client.createSecret({ Name: 'kept', Labels: { of: 'secret' }, Data: data('hidden') });
  const { id: ConfigID } = await client.createConfig({ Name: 'kept', Labels: { of: 'config' }, Data: data('shown') });
  await client.createNetwork({
    Name: 'spread',
    Driver: 'overlay',
    Labels: { of: 'network' },
    IPAM: { Driver: 'default', Config: [{ Subnet: '10.232.77.0/24' }] },
  });
  const file = { UID: '0', GID: '0', Mode: 0o444 };
  await client.createService({
    Name: 'kept',
    Labels: { of: 'service' },
    TaskTemplate: {
      ContainerSpec: {
        Image: 'kept:1',
        Command: ['/keep'],
        Secrets: [{ SecretID, SecretName: 'kept', File: { ...file, Name: 'kept' } }],
        Configs: [{ ConfigID, ConfigName: 'kept', File: { ...file, Name: '/kept' } }],
      },
      Networks: [{ Target: 'spread' }],
      RestartPolicy: { Condition: 'none' },
    },
    Mode: { Global: {} },
    EndpointSpec: { Ports: [{ TargetPort: 80, PublishedPort: 8077 }] },
  } as Docker.CreateServiceOptions);
  await untilRun(client, 'kept');
}
