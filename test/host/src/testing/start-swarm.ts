import type { ExecutionContext } from 'ava';
import { eventually } from './eventually.js';
import { type SwarmNode, startNodes } from './start-nodes.js';

export interface Task {
  readonly ID: string;
  readonly NodeID: string;
  readonly DesiredState: string;
  readonly Status: { readonly State: string; readonly ContainerStatus?: { readonly ContainerID: string } };
}

interface Node {
  readonly ID: string;
  readonly Version: { readonly Index: number };
  readonly Spec: Record<string, unknown>;
  readonly Status: { readonly State: string; readonly Addr: string };
}

export interface Swarm {
  readonly manager: SwarmNode;
  readonly workers: readonly SwarmNode[];
}

/** One manager, and workers that have joined it. A short heartbeat shows quickly that a node is down. */
export async function startSwarm(t: ExecutionContext, workerCount: number, heartbeatSeconds = 1): Promise<Swarm> {
  const [manager, ...workers] = await startNodes(t, workerCount + 1);
  if (manager === undefined) throw new Error('there is no node');
  await manager.client.swarmInit({
    ListenAddr: '0.0.0.0:2377',
    AdvertiseAddr: manager.address,
    Spec: { Dispatcher: { HeartbeatPeriod: heartbeatSeconds * 1e9 } },
  });
  const { JoinTokens } = (await manager.client.swarmInspect()) as { JoinTokens: { Worker: string } };
  for (const { client } of workers) {
    await client.swarmJoin({ RemoteAddrs: [`${manager.address}:2377`], JoinToken: JoinTokens.Worker });
  }
  return { manager, workers };
}

export const nodesOf = async ({ client }: SwarmNode) => (await client.listNodes()) as unknown as readonly Node[];

export async function nodeOf(swarm: Swarm, node: SwarmNode): Promise<Node> {
  const found = (await nodesOf(swarm.manager)).find(({ Status }) => Status.Addr === node.address);
  if (found === undefined) throw new Error(`there is no node with the address ${node.address}`);
  return found;
}

export const running = ({ manager }: Swarm, count: number, without?: Node): Promise<readonly Task[]> =>
  eventually(`${count} running tasks`, async () => {
    const tasks = (await manager.client.listTasks()) as readonly Task[];
    const found = tasks.filter((task) => task.Status.State === 'running' && task.DesiredState === 'running');
    return found.length === count && found.every(({ NodeID }) => NodeID !== without?.ID) && found;
  });
