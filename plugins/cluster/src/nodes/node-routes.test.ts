import { hostname } from 'node:os';
import test from 'ava';
import { ClusterInfo } from '../service.js';
import { startSwarm } from '../testing/start-cluster.js';

interface Node {
  readonly ID: string;
  readonly Version: { readonly Index: number };
  readonly Spec: Record<string, unknown>;
  readonly Description: {
    readonly Resources: { readonly GenericResources?: readonly object[] };
    readonly Engine: { readonly Plugins: readonly { readonly Type: string; readonly Name: string }[] };
  };
}

test('the node of the swarm has every field', async (t) => {
  const { engine, nodeId } = await startSwarm(t, { AdvertiseAddr: '127.0.0.1:2377' });
  const [node, ...others] = (await engine.ask('GET', '/nodes')).json<Node[]>();
  t.deepEqual(others, []);
  t.like(node, {
    ID: nodeId,
    Spec: { Role: 'manager', Availability: 'active', Labels: {} },
    Description: { Hostname: hostname(), Platform: { OS: 'linux' } },
    Status: { State: 'ready', Addr: '127.0.0.1' },
    ManagerStatus: { Leader: true, Reachability: 'reachable', Addr: '127.0.0.1:2377' },
  });
  t.deepEqual(
    node?.Description.Engine.Plugins.map(({ Type, Name }) => `${Type} ${Name}`),
    ['Log memory', 'Network memory', 'Volume memory'],
  );
});

test('a node offers the generic resources of its configuration', async (t) => {
  const { engine } = await startSwarm(t, {}, { genericResources: ['GPU=GPU-1', 'GPU=GPU-2', 'SSD=3'] });
  const [node] = (await engine.ask('GET', '/nodes')).json<Node[]>();
  t.deepEqual(node?.Description.Resources.GenericResources, [
    { NamedResourceSpec: { Kind: 'GPU', Value: 'GPU-1' } },
    { NamedResourceSpec: { Kind: 'GPU', Value: 'GPU-2' } },
    { DiscreteResourceSpec: { Kind: 'SSD', Value: 3 } },
  ]);
  t.is(engine.kernel.service(ClusterInfo).genericResources.length, 3);
});

test('a node is found by id, by the beginning of it and by name', async (t) => {
  const { engine, nodeId } = await startSwarm(t);
  for (const text of [nodeId, nodeId.slice(0, 12), hostname()]) {
    t.like((await engine.ask('GET', `/nodes/${text}`)).json(), { ID: nodeId }, text);
  }
  const absent = await engine.ask('GET', '/nodes/nosuch');
  t.is(absent.status, 404);
  t.is(absent.json().message, 'node nosuch not found');
});

const filters: readonly [filter: object, found: number][] = [
  [{ id: ['ID'] }, 1],
  [{ id: ['nosuch'] }, 0],
  [{ name: [hostname()] }, 1],
  [{ name: ['no such'] }, 0],
  [{ role: ['manager'] }, 1],
  [{ role: ['worker'] }, 0],
  [{ role: ['worker', 'manager'] }, 1],
  [{ membership: ['accepted'] }, 1],
  [{ membership: ['pending'] }, 0],
  [{ label: ['nosuch'] }, 0],
  [{ 'node.label': ['a=1'] }, 1],
  [{ 'node.label': ['a=2'] }, 0],
];

for (const [filter, found] of filters) {
  test(`${JSON.stringify(filter)} lists ${found} nodes`, async (t) => {
    const { engine, nodeId } = await startSwarm(t);
    const { Version, Spec } = (await engine.ask('GET', `/nodes/${nodeId}`)).json<Node>();
    const body = { ...Spec, Labels: { a: '1' } };
    t.is((await engine.ask('POST', `/nodes/${nodeId}/update?version=${Version.Index}`, { body })).status, 200);
    const query = encodeURIComponent(JSON.stringify(filter).replace('ID', nodeId));
    t.is((await engine.ask('GET', `/nodes?filters=${query}`)).json<Node[]>().length, found);
  });
}

test('filters there are not are refused', async (t) => {
  const { engine } = await startSwarm(t);
  for (const filter of [{ role: ['boss'] }, { membership: ['x'] }, { nosuch: ['x'] }]) {
    const query = encodeURIComponent(JSON.stringify(filter));
    t.is((await engine.ask('GET', `/nodes?filters=${query}`)).status, 400);
  }
});

test('an update replaces the specification, and is published', async (t) => {
  const { engine, nodeId } = await startSwarm(t);
  const update = async (spec: object, version?: number) => {
    const { Version } = (await engine.ask('GET', `/nodes/${nodeId}`)).json<Node>();
    return engine.ask('POST', `/nodes/${nodeId}/update?version=${version ?? Version.Index}`, { body: spec });
  };
  const updated = await update({ Role: 'manager', Availability: 'drain', Name: 'n1', Labels: { a: '1' } });
  t.deepEqual([updated.status, updated.text], [200, '']);
  t.deepEqual((await engine.ask('GET', '/nodes/n1')).json<Node>().Spec, {
    Name: 'n1',
    Labels: { a: '1' },
    Role: 'manager',
    Availability: 'drain',
  });
  t.is((await update({ Role: 'Manager', Availability: 'ACTIVE' })).status, 200);
  const { Spec } = (await engine.ask('GET', `/nodes/${nodeId}`)).json<Node>();
  t.deepEqual(Spec, { Labels: {}, Role: 'manager', Availability: 'active' }, 'what is left out is reset');
  await engine.ask('GET', '/nodes');
  t.deepEqual(
    engine.events
      .filter(({ type }) => type === 'node')
      .map(({ action, actor, scope }) => [action, scope, actor.attributes['availability.new']]),
    [
      ['update', 'swarm', 'drain'],
      ['update', 'swarm', 'active'],
    ],
  );
});

test('updates are refused: no version, another version, a role or availability there is not', async (t) => {
  const { engine, nodeId } = await startSwarm(t);
  const { Version } = (await engine.ask('GET', `/nodes/${nodeId}`)).json<Node>();
  const good = { Role: 'manager', Availability: 'active' };
  const status = async (query: string, body: object) =>
    (await engine.ask('POST', `/nodes/${nodeId}/update${query}`, { body })).status;
  const version = `?version=${Version.Index}`;
  t.is(await status('', good), 400);
  t.is(await status(`?version=${Version.Index + 1}`, good), 500);
  for (const bad of [
    { Role: 'manager' },
    { Availability: 'active' },
    { ...good, Role: 'x' },
    { ...good, Availability: 'x' },
  ]) {
    t.is(await status(version, bad), 400, JSON.stringify(bad));
  }
  t.is(await status(version, { ...good, Role: 'worker' }), 500, 'the last manager');
  t.is((await engine.ask('POST', `/nodes/nosuch/update${version}`, { body: good })).status, 404);
  t.is((await engine.ask('GET', `/nodes/${nodeId}`)).json<Node>().Version.Index, Version.Index);
});

test('a manager cannot be removed, not even with force', async (t) => {
  const { engine, nodeId } = await startSwarm(t);
  for (const query of ['', '?force=1']) {
    const answer = await engine.ask('DELETE', `/nodes/${nodeId}${query}`);
    t.is(answer.status, 500);
    t.regex(String(answer.json().message), /demoted to worker before removal/);
  }
  t.is((await engine.ask('DELETE', '/nodes/nosuch')).status, 404);
});
