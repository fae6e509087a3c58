import { eventually } from '@gantry/test-engine';
import test from 'ava';
import { startApi } from './testing/start-engine.js';

const sleeping = { Cmd: ['sleep', '1000'] };

const filtered = (path: string, filters: object): string =>
  `${path}?filters=${encodeURIComponent(JSON.stringify(filters))}`;

test('a wait sends its head at once, and the exit code when its condition is met', async (t) => {
  const api = await startApi(t);
  const id = await api.create({ Cmd: ['sh', '-c', 'exit 3'] });
  const waiting = await api.open('POST', `/v1.51/containers/${id}/wait?condition=next-exit`);
  t.is(waiting.status, 200);
  t.is(waiting.headers['content-type'], 'application/json');
  await api.post(`/containers/${id}/start`);
  t.deepEqual(JSON.parse((await waiting.body.toArray()).join('')), { StatusCode: 3 });
});

test('a wait for the next exit of a running container ends with it, and one for the removal with that', async (t) => {
  const api = await startApi(t);
  const id = await api.run(sleeping);
  const exit = await api.open('POST', `/v1.51/containers/${id}/wait?condition=next-exit`);
  const removal = await api.open('POST', `/v1.51/containers/${id}/wait?condition=removed`);
  await api.post(`/containers/${id}/kill`);
  t.deepEqual(JSON.parse((await exit.body.toArray()).join('')), { StatusCode: 137 });
  t.is((await api.get(`/containers/${id}/json`)).status, 200);
  await api.delete(`/containers/${id}`);
  t.deepEqual(JSON.parse((await removal.body.toArray()).join('')), { StatusCode: 137 });
});

test('an unknown condition is refused, and clients before 1.30 have none', async (t) => {
  const api = await startApi(t);
  const id = await api.create(sleeping);
  const [status, words] = await api.refusal(api.post(`/v1.51/containers/${id}/wait?condition=bogus`));
  t.is(status, 400);
  t.regex(words, /invalid condition: "bogus"/);
  t.deepEqual((await api.post(`/v1.29/containers/${id}/wait?condition=next-exit`)).json(), { StatusCode: 0 });
});

test('the exit code of a container that AutoRemove has removed can still be waited for', async (t) => {
  const api = await startApi(t);
  const id = await api.run({ Cmd: ['sh', '-c', 'exit 7'], HostConfig: { AutoRemove: true } }, 'short');
  await eventually('the removal', async () => (await api.get(`/containers/${id}/json`)).status === 404);
  for (const reference of [id, 'short', id.slice(0, 12)]) {
    t.deepEqual((await api.post(`/v1.51/containers/${reference}/wait`)).json(), { StatusCode: 7 });
  }
  const removed = await api.create(sleeping);
  await api.delete(`/containers/${removed}`);
  t.is((await api.post(`/v1.51/containers/${removed}/wait`)).status, 404);
});

test('a stop may name its signal, which clients before 1.42 cannot', async (t) => {
  const api = await startApi(t);
  const signalOf = (id: string) =>
    api.events.find(({ action, actor }) => action === 'kill' && actor.id === id)?.actor.attributes.signal;
  const [named, old] = [await api.run(sleeping), await api.run(sleeping)];
  t.is((await api.post(`/v1.51/containers/${named}/stop?signal=SIGKILL`)).status, 204);
  t.is(signalOf(named), '9');
  t.is((await api.post(`/v1.41/containers/${old}/stop?signal=SIGKILL&t=0`)).status, 204);
  t.is(signalOf(old), '15');
  const [, words] = await api.refusal(api.post(`/v1.51/containers/${named}/restart?signal=nonsense`));
  t.is(words, 'Invalid signal: nonsense');
});

test('a prune removes containers that do not run, by label and age', async (t) => {
  const api = await startApi(t);
  const [kept, running] = [await api.create({ ...sleeping, Labels: { keep: '1' } }), await api.run(sleeping)];
  const idle = await api.create(sleeping);
  t.is((await api.post(filtered('/v1.51/containers/prune', { nonsense: ['1'] }))).status, 400);
  t.like((await api.post(filtered('/v1.51/containers/prune', { until: ['1h'] }))).json(), { ContainersDeleted: null });
  const pruned = await api.post(filtered('/v1.51/containers/prune', { 'label!': ['keep'] }));
  t.deepEqual(pruned.json().ContainersDeleted, [idle]);
  t.is(typeof pruned.json().SpaceReclaimed, 'number');
  t.is((await api.get(`/containers/${kept}/json`)).status, 200);
  t.is((await api.get(`/containers/${running}/json`)).status, 200);
  t.true(api.events.some(({ type, action }) => type === 'container' && action === 'prune'));
});

test('a prune removes networks that no container is on', async (t) => {
  const api = await startApi(t);
  for (const name of ['used', 'idle']) await api.post('/networks/create', { Name: name });
  await api.run({ ...sleeping, HostConfig: { NetworkMode: 'used' } });
  t.deepEqual((await api.post('/v1.51/networks/prune')).json(), { NetworksDeleted: ['idle'] });
  t.deepEqual((await api.post('/v1.51/networks/prune')).json(), { NetworksDeleted: null });
});

test('a prune removes volumes without a name of their own, and before 1.42 all that no container has', async (t) => {
  const api = await startApi(t);
  await api.post('/volumes/create', { Name: 'named' });
  const anonymous = (await api.post('/volumes/create', {})).json().Name;
  const id = await api.create({ ...sleeping, Volumes: { '/data': {} } });
  const used = (await api.inspect(id)).Mounts[0]?.Name;
  t.deepEqual((await api.post('/v1.51/volumes/prune')).json().VolumesDeleted, [anonymous]);
  t.deepEqual((await api.post('/v1.41/volumes/prune')).json().VolumesDeleted, ['named']);
  await api.delete(`/containers/${id}`);
  t.deepEqual((await api.post('/v1.51/volumes/prune')).json().VolumesDeleted, [used]);
});

test('a prune removes images without a name, or all that no container uses', async (t) => {
  const api = await startApi(t);
  const all = { dangling: ['false'] };
  const id = await api.create(sleeping);
  t.deepEqual((await api.post('/v1.51/images/prune')).json(), { ImagesDeleted: null, SpaceReclaimed: 0 });
  t.deepEqual((await api.post(filtered('/v1.51/images/prune', all))).json().ImagesDeleted, null);
  await api.delete(`/containers/${id}`);
  const pruned = (await api.post(filtered('/v1.51/images/prune', all))).json<{ ImagesDeleted: object[] }>();
  t.deepEqual(pruned.ImagesDeleted[0], { Untagged: 'busybox:latest' });
  t.is((await api.get('/images/busybox/json')).status, 404);
});

test('a volume that is not there is removed by force', async (t) => {
  const api = await startApi(t);
  t.is((await api.delete('/v1.51/volumes/absent?force=1')).status, 204);
  t.is((await api.delete('/v1.51/volumes/absent')).status, 404);
});

test('network names are unique, which clients before 1.25 ask for', async (t) => {
  const api = await startApi(t);
  t.is((await api.post('/v1.51/networks/create', { Name: 'twin' })).status, 201);
  t.is((await api.post('/v1.51/networks/create', { Name: 'twin', CheckDuplicate: false })).status, 409);
  t.is((await api.post('/v1.24/networks/create', { Name: 'twin' })).status, 201);
  t.is((await api.post('/v1.24/networks/create', { Name: 'twin', CheckDuplicate: true })).status, 409);
});

for (const [field, value] of [
  ['Ingress', true],
  ['Scope', 'swarm'],
] as const) {
  test(`a network with ${field} ${JSON.stringify(value)} is refused by name`, async (t) => {
    const api = await startApi(t);
    const [status, words] = await api.refusal(api.post('/v1.51/networks/create', { Name: 'net', [field]: value }));
    t.true(status >= 400, String(status));
    t.true(words.startsWith(`${field}: ${JSON.stringify(value)} is not supported`), words);
    t.is((await api.get('/networks/net')).status, 404);
  });
}

test('the list of networks has no containers, which clients before 1.28 expect', async (t) => {
  const api = await startApi(t);
  await api.post('/networks/create', { Name: 'net' });
  const id = await api.run({ ...sleeping, HostConfig: { NetworkMode: 'net' } });
  const containersOn = async (version: string) => {
    const networks = (await api.get(`/v${version}/networks`)).json<{ Name: string; Containers: object }[]>();
    return Object.keys(networks.find(({ Name }) => Name === 'net')?.Containers ?? {});
  };
  t.deepEqual(await containersOn('1.51'), []);
  t.deepEqual(await containersOn('1.27'), [id]);
});

test('framed output has a media type of its own, which clients before 1.42 do not know', async (t) => {
  const api = await startApi(t);
  const [framed, terminal] = [await api.run(sleeping), await api.run({ ...sleeping, Tty: true })];
  const typeOf = async (version: string, id: string) =>
    (await api.get(`/v${version}/containers/${id}/logs?stdout=1&tail=1`)).headers['content-type'];
  t.is(await typeOf('1.51', framed), 'application/vnd.engine.multiplexed-stream');
  t.is(await typeOf('1.51', terminal), 'application/vnd.engine.raw-stream');
  t.is(await typeOf('1.41', framed), 'application/vnd.engine.raw-stream');
});

test('events have a scope, which clients before 1.30 do not know', async (t) => {
  const api = await startApi(t);
  await api.post('/networks/create', { Name: 'net' });
  const eventAt = async (version: string) => {
    const { text } = await api.get(`/v${version}/events?since=0&until=${Math.ceil(Date.now() / 1000)}`);
    return text.split('\n').find((line) => line.includes('"Type":"network"')) ?? '';
  };
  const newest = await eventAt('1.30');
  t.is(JSON.parse(newest).scope, 'local');
  t.is(await eventAt('1.29'), newest.replace('"scope":"local",', ''));
});

test('networks without IPv4 are new in 1.48, and so is the gateway priority at create', async (t) => {
  const api = await startApi(t);
  const IPAM = { Config: [{ Subnet: 'fd00:5::/64' }] };
  const body = { EnableIPv4: false, EnableIPv6: true, IPAM };
  const hasIpv4 = async (version: string, Name: string) => {
    await api.post(`/v${version}/networks/create`, { Name, ...body });
    const { EnableIPv4 } = (await api.get(`/networks/${Name}`)).json<{ EnableIPv4: boolean }>();
    await api.delete(`/networks/${Name}`);
    return EnableIPv4;
  };
  t.deepEqual([await hasIpv4('1.48', 'new'), await hasIpv4('1.47', 'old')], [false, true]);
  await api.post('/networks/create', { Name: 'front' });
  const priorityOf = async (version: string) => {
    const EndpointsConfig = { front: { GwPriority: 4 } };
    const created = { Image: 'busybox', HostConfig: { NetworkMode: 'front' }, NetworkingConfig: { EndpointsConfig } };
    const { Id } = (await api.post(`/v${version}/containers/create`, created)).json<{ Id: string }>();
    const inspected = (await api.get(`/v1.51/containers/${Id}/json`)).json<{
      NetworkSettings: { Networks: Record<string, { GwPriority: number }> };
    }>();
    return inspected.NetworkSettings.Networks.front?.GwPriority;
  };
  t.deepEqual([await priorityOf('1.48'), await priorityOf('1.47')], [4, 0]);
});

for (const [version, mount, words] of [
  ['1.47', { Type: 'image', Source: 'busybox' }, 'Mount type "Image" needs API v1.48 or newer'],
  ['1.44', { Source: 'data', VolumeOptions: { Subpath: 'a' } }, 'VolumeOptions.Subpath needs API v1.45 or newer'],
  [
    '1.43',
    {
      Type: 'bind',
      Source: '/tmp',
      ReadOnly: true,
      BindOptions: { ReadOnlyForceRecursive: true, Propagation: 'rprivate' },
    },
    'BindOptions.ReadOnlyForceRecursive needs API v1.44 or newer',
  ],
] as const) {
  test(`a mount that ${version} does not have is refused: ${words}`, async (t) => {
    const api = await startApi(t);
    const body = { Image: 'busybox', HostConfig: { Mounts: [{ Target: '/m', ...mount }] } };
    t.deepEqual(await api.refusal(api.post(`/v${version}/containers/create`, body)), [400, words]);
    t.is((await api.post('/v1.51/containers/create', body)).status, 201);
  });
}

test('HEAD of ping has what clients negotiate by', async (t) => {
  const api = await startApi(t);
  const { headers, status, text } = await api.ask('HEAD', '/_ping');
  t.deepEqual([status, text], [200, '']);
  t.like(headers, {
    'api-version': '1.51',
    'builder-version': '1',
    'docker-experimental': 'false',
    'content-length': '0',
    ostype: 'linux',
    pragma: 'no-cache',
    swarm: 'inactive',
  });
});

test('a container joins several networks when it is created, which clients before 1.44 cannot ask for', async (t) => {
  const api = await startApi(t);
  for (const name of ['one', 'two']) await api.post('/networks/create', { Name: name });
  const endpoints = { one: { Aliases: ['web'] }, two: { GwPriority: 1 } };
  const body = {
    ...sleeping,
    Image: 'busybox',
    HostConfig: { NetworkMode: 'one' },
    NetworkingConfig: { EndpointsConfig: endpoints },
  };
  t.deepEqual(await api.refusal(api.post('/v1.43/containers/create', body)), [
    400,
    'Container cannot be created with multiple network endpoints: one, two',
  ]);
  const id = (await api.post('/v1.51/containers/create?name=several', body)).json<{ Id: string }>().Id;
  t.is((await api.post(`/containers/${id}/start`)).status, 204);
  const networksAt = async (version: string) => {
    const inspected = (await api.get(`/v${version}/containers/${id}/json`)).json<{
      NetworkSettings: { Networks: Record<string, { Aliases: string[]; DNSNames: string[]; IPAddress: string }> };
    }>();
    return inspected.NetworkSettings.Networks;
  };
  const { one, two } = await networksAt('1.51');
  t.like(one, { Aliases: ['web'], GwPriority: 0, DriverOpts: null });
  t.deepEqual(one?.DNSNames, ['several', 'web', id.slice(0, 12)]);
  t.like(two, { Aliases: null, GwPriority: 1, DNSNames: ['several', id.slice(0, 12)] });
  t.not(one?.IPAddress, '');
  t.not(two?.IPAddress, '');
  t.deepEqual((await networksAt('1.44')).one?.Aliases, ['web', id.slice(0, 12)]);
});

test('images are listed with their containers since 1.51, and with their shared size since 1.42', async (t) => {
  const api = await startApi(t);
  await api.create(sleeping);
  const listed = async (version: string) =>
    (await api.get(`/v${version}/images/json?shared-size=1`)).json<object[]>()[0];
  t.like(await listed('1.51'), { Containers: 1, SharedSize: 0 });
  t.like(await listed('1.50'), { Containers: -1, SharedSize: 0 });
  t.like(await listed('1.41'), { Containers: -1, SharedSize: -1 });
});

test('df lists what takes space, by type', async (t) => {
  const api = await startApi(t);
  const id = await api.create({ ...sleeping, HostConfig: { Binds: ['data:/data'] } });
  const all = (await api.get('/v1.51/system/df')).json<Record<string, Record<string, unknown>[]>>();
  t.deepEqual(Object.keys(all), ['LayersSize', 'Images', 'Containers', 'Volumes', 'BuildCache']);
  t.like(all.Images?.[0], { RepoTags: ['busybox:latest'], Containers: 1, SharedSize: 0 });
  t.like(all.Containers?.[0], { Id: id });
  t.is(typeof all.Containers?.[0]?.SizeRootFs, 'number');
  t.like(all.Volumes?.[0], { Name: 'data' });
  t.is((all.Volumes?.[0]?.UsageData as { RefCount: number } | undefined)?.RefCount, 1);
  const volumes = (await api.get('/v1.51/system/df?type=volume')).json<Record<string, unknown>>();
  t.deepEqual(volumes, { LayersSize: 0, Images: null, Containers: null, Volumes: all.Volumes, BuildCache: null });
  t.is((await api.get('/v1.51/system/df?type=nonsense')).status, 400);
  const old = (await api.get('/v1.41/system/df?type=volume')).json<{ Images: Record<string, unknown>[] }>();
  t.is(old.Images[0]?.VirtualSize, old.Images[0]?.Size);
});

test('every answer has the headers that clients look for', async (t) => {
  const api = await startApi(t);
  for (const path of ['/_ping', '/v1.51/info', '/v1.51/containers/nosuch/json']) {
    t.like((await api.get(path)).headers, { 'docker-experimental': 'false', 'api-version': '1.51', ostype: 'linux' });
  }
});

test('clients before 1.46 hear of no image that a build or a commit made', async (t) => {
  const api = await startApi(t);
  for (const action of ['create', 'tag']) {
    api.kernel.events.publish({ type: 'image', action, actor: { id: 'made', attributes: {} } });
  }
  const heard = async (version: string): Promise<readonly unknown[]> => {
    const { text } = await api.get(`/v${version}/events?since=0&until=${Math.ceil(Date.now() / 1000)}`);
    const events = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    return events.filter(({ id }) => id === 'made').map(({ Action }) => Action);
  };
  t.deepEqual(await heard('1.45'), ['tag']);
  t.deepEqual(await heard('1.46'), ['create', 'tag']);
});

test('fields that left inspect are there for older clients', async (t) => {
  const api = await startApi(t);
  const id = await api.create(sleeping);
  const inspected = async (version: string) =>
    (await api.get(`/v${version}/containers/${id}/json`)).json<{ HostConfig: object; Config: object }>();
  const [now, before] = [await inspected('1.51'), await inspected('1.41')];
  t.false('KernelMemory' in now.HostConfig || 'MacAddress' in now.Config || 'NetworkDisabled' in now.Config);
  t.like(before, { HostConfig: { KernelMemory: 0 }, Config: { MacAddress: '', NetworkDisabled: false } });
});

test('a MacAddress beside the networks is deprecated since 1.44', async (t) => {
  const api = await startApi(t);
  const body = { ...sleeping, Image: 'busybox', MacAddress: '02:00:00:00:00:05' };
  const warnings = async (version: string) =>
    (await api.post(`/v${version}/containers/create`, body)).json<{ Warnings: readonly string[] }>().Warnings;
  t.deepEqual(await warnings('1.43'), []);
  t.regex((await warnings('1.51')).join(), /^MacAddress: deprecated since API 1\.44/);
});

test('a network shows whether it is attachable', async (t) => {
  const api = await startApi(t);
  await api.post('/networks/create', { Name: 'open', Attachable: true });
  await api.post('/networks/create', { Name: 'closed' });
  t.like((await api.get('/v1.51/networks/open')).json(), { Attachable: true });
  t.like((await api.get('/v1.51/networks/closed')).json(), { Attachable: false });
});

test('annotations reach the runtime, and clients before 1.43 have none', async (t) => {
  const api = await startApi(t);
  const body = { ...sleeping, Image: 'busybox', HostConfig: { Annotations: { 'a.b': 'c' } } };
  const annotations = async (version: string) => {
    const { Id } = (await api.post(`/v${version}/containers/create`, body)).json<{ Id: string }>();
    return (await api.inspect(Id)).HostConfig.Annotations;
  };
  t.deepEqual(await annotations('1.51'), { 'a.b': 'c' });
  t.is(await annotations('1.42'), undefined);
});
