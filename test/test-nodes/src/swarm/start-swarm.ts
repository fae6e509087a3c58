import { isDeepStrictEqual } from 'node:util';
import type { Scope } from '../daemon/daemon.js';
import { eventually } from '../eventually.js';
import { type SwarmNode, startNodes } from '../nodes/start-nodes.js';

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
  readonly Description: { readonly TLSInfo: TlsInfo };
}

export interface Swarm {
  readonly manager: SwarmNode;
  readonly workers: readonly SwarmNode[];
}

/**
 * One manager, and workers that have joined it. A short heartbeat shows quickly that a node is down; on a busy host it also
 * shows nodes as down that are not.
 */
export async function startSwarm(t: Scope, workerCount: number, heartbeatSeconds: number): Promise<Swarm> {
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

interface TlsInfo {
  readonly TrustRoot: string;
  readonly CertIssuerPublicKey: string;
}

interface SwarmDetails {
  readonly Version: { readonly Index: number };
  readonly Spec: { readonly CAConfig: object };
  readonly TLSInfo: TlsInfo;
  readonly RootRotationInProgress: boolean;
}

/** Begins a rotation of the root certificate, through a manager. Resolves to the root that is to be replaced. */
export async function rotateRoot({ client }: SwarmNode): Promise<string> {
  const { Spec, TLSInfo, Version } = (await client.swarmInspect()) as SwarmDetails;
  const CAConfig = { ...Spec.CAConfig, ForceRotate: 1 };
  await client.swarmUpdate({ version: Version.Index, ...Spec, CAConfig } as object);
  return TLSInfo.TrustRoot;
}

/** Resolves when every node trusts another root, and has a certificate of it. The API may have no leader until then. */
export const rootRotated = (manager: SwarmNode, before: string): Promise<boolean> =>
  eventually('the root is rotated', async () => {
    const { client } = manager;
    const swarm = (await client.swarmInspect().catch(() => undefined)) as SwarmDetails | undefined;
    if (swarm === undefined || swarm.RootRotationInProgress || swarm.TLSInfo.TrustRoot === before) return false;
    const nodes = await nodesOf(manager).catch(() => undefined);
    return nodes?.every(({ Description: { TLSInfo: shown } }) => isDeepStrictEqual(shown, swarm.TLSInfo)) ?? false;
  });

export const running = ({ manager }: Swarm, count: number, without?: Node): Promise<readonly Task[]> =>
  eventually(`${count} running tasks`, async () => {
    const tasks = (await manager.client.listTasks()) as readonly Task[];
    const found = tasks.filter((task) => task.Status.State === 'running' && task.DesiredState === 'running');
    return found.length === count && found.every(({ NodeID }) => NodeID !== without?.ID) && found;
  });
