import type { Scope } from '../daemon/daemon.js';
import type { DaemonOptions } from '../daemon/daemon-options.js';
import { eventually } from '../eventually.js';
import { type SwarmNode, startNodes } from '../nodes/start-nodes.js';
import type { Roles } from './partition-kinds.js';

/** A node as its swarm shows it. */
export interface ListedNode {
  readonly ID: string;
  readonly Version: { readonly Index: number };
  readonly Spec: { readonly Role: 'manager' | 'worker'; readonly Availability: string };
  readonly Status: { readonly State: string; readonly Addr: string };
  readonly ManagerStatus?: { readonly Leader?: boolean; readonly Reachability: string; readonly Addr: string };
}

interface ListedTask {
  readonly ID: string;
  readonly NodeID: string;
  readonly Slot: number;
  readonly DesiredState: string;
  readonly Status: { readonly State: string };
}

interface JoinTokens {
  readonly Worker: string;
  readonly Manager: string;
}

interface ManagedSwarm {
  readonly engines: readonly SwarmNode[];
  readonly managers: readonly SwarmNode[];
  readonly workers: readonly SwarmNode[];
}

/** Milliseconds between the heartbeats of nodes: few, so that a node is soon down, and none of a busy host is by mistake. */
export const heartbeatPeriod = 3_000;

/** How long managers wait for their leader: on a busy host they are late for the default, and elect one after the other. */
const electionTimeoutSeconds = 3;

/** Configuration of drivers for engines that will be managers. */
export const managerDrivers = { 'cluster-store/etcd': { electionTimeoutSeconds } };

/** Engines of which the first so many are managers; the first of all made the swarm. */
export async function startManagers(
  t: Scope,
  managerCount: number,
  workerCount: number,
  options: DaemonOptions = {},
): Promise<ManagedSwarm> {
  const drivers = { ...managerDrivers, ...options.drivers };
  const engines = await startNodes(t, managerCount + workerCount, () => ({ ...options, drivers }));
  await startSwarmOf(engines, managerCount);
  return { engines, managers: engines.slice(0, managerCount), workers: engines.slice(managerCount) };
}

/**
 * Makes a swarm of engines of which the first so many are managers.
 * @param period of heartbeats, in milliseconds.
 */
export async function startSwarmOf(
  engines: readonly SwarmNode[],
  managerCount: number,
  period: number = heartbeatPeriod,
): Promise<void> {
  const [first, ...others] = engines as [SwarmNode, ...SwarmNode[]];
  await first.client.swarmInit({
    ListenAddr: '0.0.0.0:2377',
    AdvertiseAddr: first.address,
    Spec: { Dispatcher: { HeartbeatPeriod: period * 1e6 } },
  });
  for (const [index, engine] of others.entries()) {
    await joinThrough(first, engine, index + 1 < managerCount ? 'Manager' : 'Worker');
  }
}

/** As `docker swarm join` does, with the token of a role that a manager shows. */
export async function joinThrough(manager: SwarmNode, engine: SwarmNode, role: keyof JoinTokens): Promise<void> {
  const { JoinTokens: tokens } = (await manager.client.swarmInspect()) as { JoinTokens: JoinTokens };
  await engine.client.swarmJoin({
    RemoteAddrs: [`${manager.address}:2377`],
    AdvertiseAddr: engine.address,
    JoinToken: tokens[role],
  });
}

const listNodes = async ({ client }: SwarmNode): Promise<readonly ListedNode[]> =>
  (await client.listNodes()) as unknown as readonly ListedNode[];

type Managers = Readonly<Record<string, string>>;

/** Resolves when the managers are shown as expected; the API has no leader for moments until then. */
export const untilManagers = (what: string, engine: SwarmNode, isExpected: (shown: Managers) => boolean) =>
  eventually(what, async () => {
    const shown = await managersOf(engine).catch(() => undefined);
    return shown !== undefined && isExpected(shown);
  });

/** As `docker node ls` shows managers: by their addresses. */
export const managersOf = async (engine: SwarmNode): Promise<Managers> =>
  Object.fromEntries(
    (await listNodes(engine)).flatMap(({ ManagerStatus, Status }) =>
      ManagerStatus === undefined ? [] : [[Status.Addr, ManagerStatus.Leader ? 'leader' : ManagerStatus.Reachability]],
    ),
  );

export const leaderOf = (engines: readonly SwarmNode[], asked: SwarmNode): Promise<SwarmNode> =>
  eventually('a leader', async () => {
    const shown = await managersOf(asked);
    return engines.find(({ address }) => shown[address] === 'leader');
  });

/** The nodes by what they are now. */
export async function rolesOf(managers: readonly SwarmNode[], workers: readonly SwarmNode[]): Promise<Roles> {
  const leader = await leaderOf(managers, managers[0] as SwarmNode);
  const followers = managers.filter((manager) => manager !== leader);
  return { leader, followers, workers } as unknown as Roles;
}

/** As `docker node promote` and `demote` do, through one of the managers. */
export async function changeRole(manager: SwarmNode, node: SwarmNode, Role: 'manager' | 'worker'): Promise<void> {
  await eventually(`the role ${Role}`, async () => {
    const found = (await listNodes(manager)).find(({ Status }) => Status.Addr === node.address);
    const { ID = '', Spec, Version } = found ?? {};
    const update = { ...Spec, Role, version: Version?.Index };
    return manager.client
      .getNode(ID)
      .update(update)
      .then(
        () => true,
        (error: Error) => {
          // Its record has changed meanwhile, or the leader has.
          if (!/out of sequence|store is closed|does not have a leader/.test(error.message)) throw error;
          return false;
        },
      );
  });
}

/** Resolves to the tasks when as many run as are expected, none of them on nodes that are down. */
export const runningTasks = (engine: SwarmNode, count: number): Promise<readonly ListedTask[]> =>
  eventually(`${count} running tasks`, async () => {
    const tasks = (await engine.client.listTasks()) as readonly ListedTask[];
    const found = tasks.filter((task) => task.Status.State === 'running' && task.DesiredState === 'running');
    const down = (await listNodes(engine)).filter(({ Status }) => Status.State === 'down').map(({ ID }) => ID);
    return found.length === count && found.every(({ NodeID }) => !down.includes(NodeID)) && found;
  });
