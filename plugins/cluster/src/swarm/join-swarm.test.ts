import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@gantry/test-engine';
import test, { type ExecutionContext } from 'ava';
import { startCluster, startSwarm } from '../testing/start-cluster.js';

interface Node {
  readonly ID: string;
  readonly Version: { readonly Index: number };
  readonly Spec: { readonly Role: string; readonly Availability: string };
  readonly Status: { readonly State: string; readonly Message?: string; readonly Addr: string };
  readonly Description: { readonly Engine: { readonly EngineVersion: string } };
  readonly ManagerStatus?: object;
}

type Engine = Awaited<ReturnType<typeof startCluster>>;
type Tokens = { readonly Worker: string; readonly Manager: string };
type Swarm = { readonly JoinTokens: Tokens; readonly Version: { readonly Index: number }; readonly Spec: object };

const swarmOf = async (engine: Engine): Promise<Swarm> => (await engine.ask('GET', '/swarm')).json<Swarm>();
const nodesOf = async (engine: Engine): Promise<readonly Node[]> => (await engine.ask('GET', '/nodes')).json<Node[]>();

/** As a request that only a manager answers says it. */
async function roleOf(engine: Engine): Promise<string> {
  const { status, text } = await engine.ask('GET', '/swarm');
  if (status === 200) return 'manager';
  return text.includes('Worker nodes') ? 'worker' : 'none';
}

async function managerAndWorker(t: ExecutionContext, spec: object = {}) {
  const { engine: manager, nodeId } = await startSwarm(t, { Spec: spec });
  const address = (await nodesOf(manager))[0]?.Status.Addr ?? '';
  const worker = await startCluster(t);
  const answer = await worker.ask('POST', '/swarm/join', {
    body: { RemoteAddrs: [`${address}:2377`], JoinToken: (await swarmOf(manager)).JoinTokens.Worker },
  });
  t.is(answer.status, 200, answer.text);
  t.is(answer.text, '');
  const joined = (await nodesOf(manager)).find(({ ID }) => ID !== nodeId) as Node;
  return { manager, worker, address, joined };
}

const stateOf = async (manager: Engine, id: string) =>
  (await nodesOf(manager)).find(({ ID }) => ID === id)?.Status.State;

test('a worker joins with its token, is ready when that is answered, and is no manager', async (t) => {
  const { joined, worker } = await managerAndWorker(t);
  t.like(joined, { Spec: { Role: 'worker', Availability: 'active' }, Status: { State: 'ready', Addr: '127.0.0.1' } });
  t.is(joined.ManagerStatus, undefined);
  t.not(joined.Description.Engine.EngineVersion, '');
  t.is(await roleOf(worker), 'worker');
  const refused = await worker.ask('GET', '/nodes');
  t.is(refused.status, 503);
  t.regex(refused.text, /Worker nodes can't be used to view or modify cluster state/);
});

test('a wrong token, and one that was rotated, are refused, and nothing remains', async (t) => {
  const { engine: manager } = await startSwarm(t);
  const [{ Status: { Addr: address } = { Addr: '' } } = {}] = await nodesOf(manager);
  const { JoinTokens: tokens, Spec: spec, Version: version } = await swarmOf(manager);
  const rotated = await manager.ask('POST', `/swarm/update?version=${version.Index}&rotateWorkerToken=1`, {
    body: spec,
  });
  t.is(rotated.status, 200);
  const otherDigest = tokens.Manager.replace(/^SWMTKN-1-.{50}/, `SWMTKN-1-${'0'.repeat(50)}`);
  const worker = await startCluster(t);
  for (const [token, words] of [
    [tokens.Worker, /valid join token is necessary/],
    [otherDigest, /does not match the fingerprint/],
  ] as const) {
    const answer = await worker.ask('POST', '/swarm/join', {
      body: { RemoteAddrs: [`${address}:2377`], JoinToken: token },
    });
    t.is(answer.status, 400);
    t.regex(answer.text, words);
  }
  t.is((await nodesOf(manager)).length, 1);
  t.is(await roleOf(worker), 'none');
});

test('the key of a node is only readable by its engine', async (t) => {
  const { worker } = await managerAndWorker(t);
  const files = await readdir(worker.directory, { recursive: true });
  const file = files.find((name) => name.endsWith('identity.json')) ?? '';
  t.is((await stat(join(worker.directory, file))).mode & 0o777, 0o600);
});

test('a worker that was restarted comes back, and one that stays away is down', async (t) => {
  const { joined, manager, worker } = await managerAndWorker(t, { Dispatcher: { HeartbeatPeriod: 100e6 } });
  await worker.kernel.stop();
  await eventually('the node is down', async () => (await stateOf(manager, joined.ID)) === 'down');
  await worker.restart();
  await eventually('the node is ready', async () => (await stateOf(manager, joined.ID)) === 'ready');
});

test('a manager that was restarted has its workers again', async (t) => {
  const { joined, manager, worker } = await managerAndWorker(t, { Dispatcher: { HeartbeatPeriod: 100e6 } });
  await manager.restart();
  await worker.kernel.stop();
  await eventually('the node is down', async () => (await stateOf(manager, joined.ID)) === 'down');
  await worker.restart();
  await eventually('the node is ready', async () => (await stateOf(manager, joined.ID)) === 'ready');
});

test('a worker leaves without force, is down at once, and can be removed', async (t) => {
  const { joined, manager, worker } = await managerAndWorker(t);
  t.is((await manager.ask('DELETE', `/nodes/${joined.ID}`)).status, 500);
  t.is((await worker.ask('POST', '/swarm/leave')).status, 200);
  t.is(await roleOf(worker), 'none');
  t.is(await stateOf(manager, joined.ID), 'down');
  t.is((await manager.ask('DELETE', `/nodes/${joined.ID}`)).status, 200);
  t.is((await nodesOf(manager)).length, 1);
});

test('a node that was removed by force is not let in again', async (t) => {
  const { joined, manager, worker } = await managerAndWorker(t, { Dispatcher: { HeartbeatPeriod: 100e6 } });
  t.is((await manager.ask('DELETE', `/nodes/${joined.ID}?force=1`)).status, 200);
  await worker.restart();
  t.is((await nodesOf(manager)).length, 1);
  t.is((await worker.ask('POST', '/swarm/leave')).status, 200);
});

test('an address that is in use is named, and no swarm is made', async (t) => {
  const { engine } = await startSwarm(t);
  const [{ Status: { Addr: address } = { Addr: '' } } = {}] = await nodesOf(engine);
  const other = await startCluster(t);
  const answer = await other.ask('POST', '/swarm/init', { body: { ListenAddr: `${address}:2377` } });
  t.is(answer.status, 500);
  t.regex(answer.text, /failed to listen on remote API address: .*EADDRINUSE/);
  t.is(await roleOf(other), 'none');
});

test('a manager that cannot listen is refused, and no node is listed', async (t) => {
  const { engine: manager } = await startSwarm(t);
  const [{ Status: { Addr: address } = { Addr: '' } } = {}] = await nodesOf(manager);
  const other = await startCluster(t);
  const { Manager: JoinToken } = (await swarmOf(manager)).JoinTokens;
  const answer = await other.ask('POST', '/swarm/join', {
    body: { RemoteAddrs: [`${address}:2377`], ListenAddr: `${address}:2377`, JoinToken },
  });
  t.is(answer.status, 500);
  t.regex(answer.text, /failed to listen on remote API address: .*EADDRINUSE/);
  t.is((await nodesOf(manager)).length, 1);
  t.is(await roleOf(other), 'none');
});
