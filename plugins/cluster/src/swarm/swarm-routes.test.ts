import { readFile, rm, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';
import test from 'ava';
import { ClusterInfo } from '../service.js';
import { clusterPackages, initBody, newInitBody, startCluster, startSwarm } from '../testing/start-cluster.js';

interface Swarm {
  readonly ID: string;
  readonly Version: { readonly Index: number };
  readonly Spec: Record<string, Record<string, unknown>>;
  readonly JoinTokens: { readonly Worker: string; readonly Manager: string };
  readonly DefaultAddrPool: readonly string[];
}

const memberRoutes = [
  ...['GET /swarm', 'POST /swarm/leave', 'POST /swarm/update?version=1', 'GET /swarm/unlockkey', 'POST /swarm/unlock'],
  ...['GET /nodes', 'GET /nodes/x', 'DELETE /nodes/x', 'POST /nodes/x/update?version=1'],
  ...[
    'GET /secrets',
    'POST /secrets/create',
    'GET /secrets/x',
    'DELETE /secrets/x',
    'POST /secrets/x/update?version=1',
  ],
  ...[
    'GET /configs',
    'POST /configs/create',
    'GET /configs/x',
    'DELETE /configs/x',
    'POST /configs/x/update?version=1',
  ],
];

test('every cluster operation outside of a swarm answers 503', async (t) => {
  const { ask } = await startCluster(t);
  for (const route of memberRoutes) {
    const [method = '', path = ''] = route.split(' ');
    const body = method === 'POST' ? { UnlockKey: 'x' } : undefined;
    const answer = await ask(method, path, { body });
    t.is(answer.status, 503, route);
    t.regex(
      String(answer.json().message),
      /not a swarm manager\. Use .* and try again\.$|^This node is not part of a swarm$/,
      route,
    );
  }
});

test('a swarm is made with its defaults, and inspected', async (t) => {
  const { engine, nodeId } = await startSwarm(t);
  t.regex(nodeId, /^[0-9a-z]{25}$/);
  const swarm = (await engine.ask('GET', '/swarm')).json<Swarm>();
  t.like(swarm.Spec, {
    Name: 'default',
    Orchestration: { TaskHistoryRetentionLimit: 5 },
    Raft: { SnapshotInterval: 10_000, LogEntriesForSlowFollowers: 500, ElectionTick: 10, HeartbeatTick: 1 },
    Dispatcher: { HeartbeatPeriod: 5e9 },
    CAConfig: { NodeCertExpiry: 7_776_000_000_000_000 },
    TaskDefaults: {},
    EncryptionConfig: { AutoLockManagers: false },
  });
  t.like(swarm, { DataPathPort: 4789, SubnetSize: 24, RootRotationInProgress: false });
  t.deepEqual(swarm.DefaultAddrPool, ['10.0.0.0/8']);
  for (const token of [swarm.JoinTokens.Worker, swarm.JoinTokens.Manager]) {
    t.regex(token, /^SWMTKN-1-[0-9a-z]{50}-[0-9a-z]{25}$/);
  }
  t.not(swarm.JoinTokens.Worker, swarm.JoinTokens.Manager);
});

test('a member can neither init nor join', async (t) => {
  const { engine } = await startSwarm(t);
  for (const path of ['/swarm/init', '/swarm/join']) {
    const answer = await engine.ask('POST', path, {
      body: { ...initBody, RemoteAddrs: ['192.0.2.1'], JoinToken: 'x' },
    });
    t.is(answer.status, 503, path);
    t.regex(String(answer.json().message), /already part of a swarm/);
  }
});

test('of two inits at once one makes a swarm', async (t) => {
  const { ask } = await startCluster(t);
  const answers = await Promise.all([1, 2].map(() => ask('POST', '/swarm/init', { body: newInitBody() })));
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 503]);
});

const refusedInits: readonly [body: object, words: RegExp][] = [
  [{ ListenAddr: 'zz:zz' }, /ListenAddr: "zz:zz"/],
  [{ ListenAddr: 'nosuch:2377' }, /ListenAddr: "nosuch:2377"/],
  [{ ListenAddr: '127.0.0.1:65536' }, /ListenAddr/],
  [{ ListenAddr: '2001:db8::1:2377' }, /ListenAddr/],
  [{ ListenAddr: 5 }, /ListenAddr/],
  [{ AdvertiseAddr: '0.0.0.0' }, /AdvertiseAddr/],
  [{ ...initBody, DataPathAddr: 'nosuch' }, /DataPathAddr: "nosuch"/],
  [{ ...initBody, DataPathPort: 80 }, /DataPathPort: 80/],
  [{ ...initBody, DefaultAddrPool: ['10.0.0.0'] }, /DefaultAddrPool: "10\.0\.0\.0"/],
  [{ ...initBody, DefaultAddrPool: ['10.0.0.0/28'] }, /SubnetSize/],
  [{ ...initBody, SubnetSize: 31 }, /SubnetSize: 31/],
  [{ ...initBody, Availability: 'busy' }, /Availability/],
  [{ ...initBody, Spec: { Name: 'other' } }, /Name: "other"/],
  [{ ...initBody, Spec: { Raft: { ElectionTick: 1, HeartbeatTick: 1 } } }, /Raft\.ElectionTick/],
  [{ ...initBody, Spec: { Dispatcher: { HeartbeatPeriod: -1 } } }, /Dispatcher\.HeartbeatPeriod: -1/],
  [{ ...initBody, Spec: { CAConfig: { NodeCertExpiry: 1e9 } } }, /NodeCertExpiry: 1000000000/],
  [{ ...initBody, Spec: { CAConfig: { ExternalCAs: [{ Protocol: 'acme', URL: 'https://x' }] } } }, /Protocol: "acme"/],
  [{ ...initBody, Spec: { CAConfig: { ExternalCAs: [{ URL: 'http://x' }] } } }, /URL: "http:\/\/x"/],
  [{ ...initBody, Spec: { CAConfig: { SigningCACert: 'x' } } }, /SigningCACert/],
];

for (const [body, words] of refusedInits) {
  test(`init with ${JSON.stringify(body)} is refused, and nothing remains`, async (t) => {
    const { ask } = await startCluster(t);
    const answer = await ask('POST', '/swarm/init', { body });
    t.is(answer.status, 400);
    t.regex(String(answer.json().message), words);
    t.is((await ask('GET', '/swarm')).status, 503);
    t.is((await ask('POST', '/swarm/init', { body: newInitBody() })).status, 200);
  });
}

test('an interface is as good as its address, and the default port is 2377', async (t) => {
  const [link = '', addresses = []] =
    Object.entries(networkInterfaces()).find(
      ([, all = []]) => all.filter(({ family }) => family === 'IPv4').length === 1,
    ) ?? [];
  const { engine, nodeId } = await startSwarm(t, {
    ListenAddr: newInitBody().ListenAddr.replace(':2377', ''),
    AdvertiseAddr: link,
  });
  const { ManagerStatus } = (await engine.ask('GET', `/nodes/${nodeId}`)).json<{ ManagerStatus: { Addr: string } }>();
  t.is(ManagerStatus.Addr, `${addresses.find(({ family }) => family === 'IPv4')?.address}:2377`);
});

test('join is refused: without an address or a token, with no token at all, and where no manager answers', async (t) => {
  const { ask } = await startCluster(t);
  const refused = async (body: object) => {
    const answer = await ask('POST', '/swarm/join', { body });
    return [answer.status, answer.json<{ message: string }>().message] as const;
  };
  const token = `SWMTKN-1-${'0'.repeat(50)}-${'0'.repeat(25)}`;
  const remote = { RemoteAddrs: ['127.0.0.1:1'] };
  t.like(await refused({ JoinToken: token }), { 0: 400 });
  t.like(await refused(remote), { 0: 400 });
  t.like(await refused({ ...remote, JoinToken: 'x' }), { 0: 400, 1: 'JoinToken: invalid join token' });
  t.like(await refused({ ...remote, JoinToken: token, ListenAddr: 'zz:zz' }), { 0: 400 });
  const [status, message] = await refused({ ...remote, JoinToken: token });
  t.is(status, 500);
  t.regex(message, /127\.0\.0\.1:1/);
});

test('the specification is replaced, with the version it has', async (t) => {
  const { engine } = await startSwarm(t);
  const before = (await engine.ask('GET', '/swarm')).json<Swarm>();
  const update = (body: unknown, query: string) => engine.ask('POST', `/swarm/update?${query}`, { body });
  const spec = { ...before.Spec, Orchestration: { TaskHistoryRetentionLimit: -1 } };
  t.is((await update(spec, '')).status, 400);
  t.is((await update(spec, `version=${before.Version.Index + 1}`)).status, 500);
  const updated = await update(spec, `version=${before.Version.Index}`);
  t.deepEqual([updated.status, updated.text], [200, '']);
  const after = (await engine.ask('GET', '/swarm')).json<Swarm>();
  t.like(after.Spec, { Orchestration: { TaskHistoryRetentionLimit: -1 } });
  t.true(after.Version.Index > before.Version.Index);
  t.deepEqual(after.JoinTokens, before.JoinTokens);
});

test('join tokens are rotated one by one, or replaced with tokens of this swarm', async (t) => {
  const { engine } = await startSwarm(t);
  const swarm = async () => (await engine.ask('GET', '/swarm')).json<Swarm>();
  const update = async (query: string, change: object = {}) => {
    const { Spec, Version } = await swarm();
    const body = { ...Spec, ...change };
    return (await engine.ask('POST', `/swarm/update?version=${Version.Index}${query}`, { body })).status;
  };
  const first = (await swarm()).JoinTokens;
  t.is(await update('&rotateWorkerToken=1'), 200);
  const second = (await swarm()).JoinTokens;
  t.not(second.Worker, first.Worker);
  t.is(second.Manager, first.Manager);
  t.is(second.Worker.slice(0, 59), first.Worker.slice(0, 59), 'the root certificate is the same');
  t.is(await update('&rotateManagerToken=true'), 200);
  t.not((await swarm()).JoinTokens.Manager, first.Manager);
  t.is(await update('', { JoinTokens: { Worker: first.Worker } }), 200);
  t.is((await swarm()).JoinTokens.Worker, first.Worker);
  t.is(await update('', { JoinTokens: { Worker: `SWMTKN-1-${'0'.repeat(50)}-${'0'.repeat(25)}` } }), 400);
});

test('the last manager leaves only with force, and then nothing of the swarm remains', async (t) => {
  const { engine, nodeId } = await startSwarm(t);
  const refused = await engine.ask('POST', '/swarm/leave');
  t.is(refused.status, 500);
  t.regex(String(refused.json().message), /last manager.*--force/);
  t.is((await engine.ask('GET', '/swarm')).status, 200);
  t.is((await engine.ask('POST', '/swarm/leave?force=1')).status, 200);
  t.is((await engine.ask('GET', '/swarm')).status, 503);
  const again = await engine.ask('POST', '/swarm/init', { body: newInitBody() });
  t.is(again.status, 200);
  t.not(JSON.parse(again.text), nodeId);
});

test('the store of a swarm whose membership file is lost is neither used nor removed', async (t) => {
  const { engine, nodeId } = await startSwarm(t);
  const file = join(engine.directory, 'data/plugins/cluster/member.json');
  const kept = await readFile(file);
  await rm(file);
  await engine.restart();
  t.is((await engine.ask('GET', '/swarm')).status, 503);
  t.is(engine.kernel.service(ClusterInfo).headline, 'error');
  const refused = await engine.ask('POST', '/swarm/init', { body: newInitBody() });
  t.is(refused.status, 500);
  t.regex(String(refused.json().message), /memory has the store of an earlier swarm .*member\.json is lost/);
  await writeFile(file, kept);
  await engine.restart();
  t.is((await engine.ask('GET', `/nodes/${nodeId}`)).status, 200);
});

test('a swarm survives a restart of the daemon', async (t) => {
  const { engine, nodeId } = await startSwarm(t);
  const before = (await engine.ask('GET', '/swarm')).json();
  await engine.restart();
  t.deepEqual((await engine.ask('GET', '/swarm')).json(), before);
  t.like((await engine.ask('GET', `/nodes/${nodeId}`)).json(), { Status: { State: 'ready' } });
});

test('a member is asked as soon as it listens, and is not taken for an engine outside of a swarm', async (t) => {
  const { engine } = await startSwarm(t);
  const before = (await engine.ask('GET', '/swarm')).json<Swarm>();
  const answers: Promise<readonly [number, string]>[] = [];
  const ask = async (method: 'GET' | 'POST', path: string) => {
    const { status, text } = await engine.ask(method, path, method === 'POST' ? { body: newInitBody() } : {});
    return [status, text] as const;
  };
  const early = definePlugin({
    id: 'early',
    requires: [EngineApi],
    configSchema: Type.Object({}),
    setup: () =>
      class {
        /** Clients are answered, and what started later is not ready yet. */
        async ready(): Promise<void> {
          const asked = [ask('POST', '/swarm/init'), ask('GET', '/swarm')];
          answers.push(...asked);
          await asked[0];
        }
      },
  });
  await engine.restart([early, ...clusterPackages]);
  const [init, swarm] = await Promise.all(answers);
  t.like(init, { 0: 503 });
  t.regex(init?.[1] ?? '', /already part of a swarm/);
  t.is(swarm?.[0], 200, swarm?.[1]);
  t.is((JSON.parse(swarm?.[1] ?? '{}') as Swarm).ID, before.ID);
});

test('a new cluster is forced with every record, and at another address', async (t) => {
  const { engine, nodeId } = await startSwarm(t);
  const before = (await engine.ask('GET', '/swarm')).json<Swarm>();
  const body = { ListenAddr: '127.0.0.1:2378', AdvertiseAddr: '127.0.0.1:2378', ForceNewCluster: true };
  const forced = await engine.ask('POST', '/swarm/init', { body });
  t.deepEqual([forced.status, JSON.parse(forced.text)], [200, nodeId]);
  t.is((await engine.ask('GET', '/swarm')).json<Swarm>().ID, before.ID);
});

test('an autolocked swarm is locked by a restart, and opened with its unlock key only', async (t) => {
  const { engine } = await startSwarm(t, { Spec: { EncryptionConfig: { AutoLockManagers: true } } });
  const { UnlockKey } = (await engine.ask('GET', '/swarm/unlockkey')).json<{ UnlockKey: string }>();
  t.regex(UnlockKey, /^SWMKEY-1-[A-Za-z0-9+/]{43}$/);
  await engine.restart();
  const locked = await engine.ask('GET', '/swarm');
  t.is(locked.status, 503);
  t.regex(String(locked.json().message), /needs to be unlocked/);
  const unlock = async (key: string) =>
    (await engine.ask('POST', '/swarm/unlock', { body: { UnlockKey: key } })).status;
  t.is(await unlock('nonsense'), 400);
  t.is(await unlock(`SWMKEY-1-${Buffer.alloc(32).toString('base64').replace('=', '')}`), 400);
  t.is(await unlock(UnlockKey), 200);
  t.is((await engine.ask('GET', '/swarm')).status, 200);
  t.is(await unlock(UnlockKey), 500, 'not locked any more');
});

test('the unlock key is rotated, and autolock is switched off', async (t) => {
  const { engine } = await startSwarm(t, { Spec: { EncryptionConfig: { AutoLockManagers: true } } });
  const unlockKey = async () => (await engine.ask('GET', '/swarm/unlockkey')).json<{ UnlockKey: string }>().UnlockKey;
  const update = async (query: string, change: object) => {
    const { Spec, Version } = (await engine.ask('GET', '/swarm')).json<Swarm>();
    return engine.ask('POST', `/swarm/update?version=${Version.Index}${query}`, { body: { ...Spec, ...change } });
  };
  const first = await unlockKey();
  t.is((await update('&rotateManagerUnlockKey=1', {})).status, 200);
  const second = await unlockKey();
  t.not(second, first);
  await engine.restart();
  t.is((await engine.ask('POST', '/swarm/unlock', { body: { UnlockKey: first } })).status, 400);
  t.is((await engine.ask('POST', '/swarm/unlock', { body: { UnlockKey: second } })).status, 200);
  t.is((await update('', { EncryptionConfig: { AutoLockManagers: false } })).status, 200);
  t.is(await unlockKey(), '');
  await engine.restart();
  t.is((await engine.ask('GET', '/swarm')).status, 200);
});

test('a locked swarm can be left', async (t) => {
  const { engine } = await startSwarm(t, { Spec: { EncryptionConfig: { AutoLockManagers: true } } });
  await engine.restart();
  t.is((await engine.ask('POST', '/swarm/leave?force=1')).status, 200);
  t.is((await engine.ask('GET', '/swarm')).status, 503);
});

test('neither the key of an autolocked swarm nor that of its certificate is on disk', async (t) => {
  const { engine } = await startSwarm(t);
  const readText = (name: string) => readFile(join(engine.directory, 'data/plugins/cluster', name), 'utf8');
  const read = async () => JSON.parse(await readText('member.json')) as { key: object };
  t.like((await read()).key, { type: 'plain' });
  t.regex(await readText('identity.json'), /PRIVATE KEY/);
  const { Spec, Version } = (await engine.ask('GET', '/swarm')).json<Swarm>();
  const body = { ...Spec, EncryptionConfig: { AutoLockManagers: true } };
  t.is((await engine.ask('POST', `/swarm/update?version=${Version.Index}`, { body })).status, 200);
  t.deepEqual(Object.keys((await read()).key).sort(), ['sealedKey', 'type']);
  t.notRegex(await readText('identity.json'), /PRIVATE KEY/);
});
