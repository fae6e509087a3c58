import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { silentLogger } from '@gantry/core/driver';
import { notFound, unavailable } from '@gantry/core/errors';
import { type NodeConnection, type NodeIdentity, NodeListener } from '@gantry/lib-cluster-protocol';
import { eventually } from '@gantry/test-engine';
import test, { type ExecutionContext } from 'ava';
import { managersPath } from '../messages/manager-messages.js';
import type { RemoteManager } from '../records/remote-managers.js';
import { identitiesOf } from '../testing/identities-of.js';
import { LeaderSearch } from './leader-search.js';

const leadsPath = '/leads';

const newIdentity = async (t: ExecutionContext): Promise<NodeIdentity> => (await identitiesOf(t))();

interface ManagerOptions {
  readonly identity: NodeIdentity;
  /** Whether it leads; resolves or rejects when it answers. */
  readonly leads: () => Promise<void>;
  readonly managers?: readonly RemoteManager[];
}

async function startManager(t: ExecutionContext, { identity, leads, managers = [] }: ManagerOptions): Promise<string> {
  const listener = await NodeListener.open({
    ...{ host: '127.0.0.1', port: 0, identity, log: silentLogger },
    routes: new Map([
      [managersPath, { type: 'call', access: 'nodes', answer: async () => managers }],
      [leadsPath, { type: 'call', access: 'nodes', answer: leads }],
    ]),
  });
  t.teardown(() => listener.close());
  return `127.0.0.1:${listener.port}`;
}

const follows = async (): Promise<void> => {
  throw unavailable('this manager does not lead');
};

/** Accepts connections and says nothing, as a host does whose engine hangs. */
async function startSilent(t: ExecutionContext): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function search(t: ExecutionContext, identity: NodeIdentity, addresses: readonly string[]) {
  const end = new AbortController();
  const tried: NodeConnection[] = [];
  const failures: string[] = [];
  const started = new LeaderSearch({
    nodeId: 'searching',
    identity,
    signal: end.signal,
    begin: (connection) => {
      tried.push(connection);
      return connection.call(leadsPath, null);
    },
    onFailure: (error) => failures.push((error as Error).message),
  });
  for (const address of addresses) started.ask({ nodeId: `manager at ${address}`, address });
  t.teardown(async () => {
    end.abort();
    await started.found.then(({ connection }) => connection.close()).catch(() => undefined); // never found
  });
  return { end, failures, found: started.found, tried };
}

test('a leader that is slow to answer is found by its first connection, while others say that they do not lead', async (t) => {
  const identity = await newIdentity(t);
  const leader = await startManager(t, { identity, leads: () => delay(1_500) });
  const { found, tried } = search(t, identity, [leader, await startManager(t, { identity, leads: follows })]);
  const { connection } = await found;
  t.is(connection.address, leader);
  t.is(tried.filter(({ address }) => address === leader).length, 1);
});

test('a manager that begins to lead is asked again on the connection that there is', async (t) => {
  const identity = await newIdentity(t);
  let asked = 0;
  const leads = async (): Promise<void> => {
    asked += 1;
    if (asked < 3) await follows();
  };
  const { found, tried } = search(t, identity, [await startSilent(t), await startManager(t, { identity, leads })]);
  const { connection } = await found;
  t.is(asked, 3);
  t.deepEqual([...new Set(tried)], [connection]);
  t.false(connection.closed.aborted);
});

test('the connections to the other managers are closed once the leader is found', async (t) => {
  const identity = await newIdentity(t);
  const leader = await startManager(t, { identity, leads: () => delay(300) });
  const { found, tried } = search(t, identity, [await startManager(t, { identity, leads: follows }), leader]);
  const { connection } = await found;
  const others = tried.filter((each) => each !== connection);
  t.true(others.length > 0);
  await eventually('they are closed', () => others.every(({ closed }) => closed.aborted));
});

test('a manager that other managers know of does not ask itself', async (t) => {
  const identity = await newIdentity(t);
  let isAsked = false;
  const own = await startManager(t, {
    identity,
    leads: async () => {
      isAsked = true;
    },
  });
  const managers = [{ nodeId: 'searching', address: own }];
  let asked = 0;
  const leads = async (): Promise<void> => {
    asked += 1;
    if (asked < 4) await follows();
  };
  const { found } = search(t, identity, [await startManager(t, { identity, leads, managers })]);
  await found;
  t.false(isAsked);
});

test('a leader is found that only another manager knows of', async (t) => {
  const identity = await newIdentity(t);
  const leader = await startManager(t, { identity, leads: async () => undefined });
  const managers = [{ nodeId: 'leader', address: leader }];
  const { found } = search(t, identity, [await startManager(t, { identity, leads: follows, managers })]);
  t.is((await found).connection.address, leader);
});

test('a failure is reported once every manager has failed', async (t) => {
  const identity = await newIdentity(t);
  const follower = await startManager(t, { identity, leads: follows });
  const { failures } = search(t, identity, ['127.0.0.1:1', follower]);
  await eventually('it is reported', () => failures.length > 0);
  t.regex(failures[0] ?? '', /127\.0\.0\.1:1\b.*ECONNREFUSED/, 'why the first manager has failed');
  t.true(failures[0]?.includes(`; ${follower}: `), 'and why the other one');
});

test('a node that the leader does not know searches no more', async (t) => {
  const identity = await newIdentity(t);
  const leads = async (): Promise<void> => {
    throw notFound('node n1 is not part of the swarm');
  };
  const addresses = [await startManager(t, { identity, leads: follows }), await startManager(t, { identity, leads })];
  await t.throwsAsync(search(t, identity, addresses).found, { message: 'node n1 is not part of the swarm' });
});

test('a search ends with the reason of its signal', async (t) => {
  const identity = await newIdentity(t);
  const { end, found } = search(t, identity, [await startSilent(t)]);
  end.abort(new Error('the engine stops'));
  await t.throwsAsync(found, { message: 'the engine stops' });
});
