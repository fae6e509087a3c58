import { NetworkService, SandboxService } from '@gantry/networks/service';
import { eventually } from '@gantry/test-engine';
import test from 'ava';
import { type ApiEngine, startApi } from './testing/start-engine.js';

const sleeping = { Cmd: ['sleep', '300'] };

const volumes = async (api: ApiEngine): Promise<readonly string[]> =>
  ((await api.get('/volumes')).json<{ Volumes: { Name: string }[] }>().Volumes ?? []).map(({ Name }) => Name);

async function network(api: ApiEngine, name: string, subnet: string): Promise<string> {
  const body = { Name: name, IPAM: { Config: [{ Subnet: subnet }] } };
  return (await api.post('/networks/create', body)).json<{ Id: string }>().Id;
}

const containersOn = async (api: ApiEngine, name: string): Promise<Readonly<Record<string, { Name: string }>>> =>
  (await api.get(`/networks/${name}`)).json<{ Containers: Record<string, { Name: string }> }>().Containers;

test('a named volume is made with the container, shown by it, and stays', async (t) => {
  const api = await startApi(t);
  const id = await api.create({ HostConfig: { Binds: ['data:/d:ro'] } });
  t.deepEqual(await volumes(api), ['data']);
  t.like((await api.inspect(id)).Mounts[0], { Type: 'volume', Name: 'data', Destination: '/d', RW: false });
  t.deepEqual(await api.refusal(api.delete('/volumes/data')), [409, `remove data: volume is in use - [${id}]`]);
  await api.delete(`/containers/${id}?v=1`);
  t.deepEqual(await volumes(api), ['data']);
  t.is((await api.delete('/volumes/data')).status, 204);
});

test('an anonymous volume goes with its container when that is asked for', async (t) => {
  const api = await startApi(t);
  const keeps = await api.create({ Volumes: { '/v': {} } });
  const [{ Name: kept } = { Name: '' }] = (await api.inspect(keeps)).Mounts as { Name: string }[];
  t.regex(kept, /^[0-9a-f]{64}$/);
  await api.delete(`/containers/${keeps}`);
  t.deepEqual(await volumes(api), [kept]);
  const goes = await api.create({ Volumes: { '/v': {} } });
  await api.delete(`/containers/${goes}?v=1`);
  t.deepEqual(await volumes(api), [kept]);
});

test('volumes from another container are the same volumes', async (t) => {
  const api = await startApi(t);
  const first = await api.create({ Volumes: { '/v': {} } }, 'first');
  const second = await api.create({ HostConfig: { VolumesFrom: ['first:ro'] } });
  const [own] = (await api.inspect(first)).Mounts;
  const [shared] = (await api.inspect(second)).Mounts;
  t.like(shared, { Name: own?.Name as string, Destination: '/v', RW: false });
});

test('ports are published while it runs', async (t) => {
  const api = await startApi(t);
  const id = await api.run({
    ...sleeping,
    ExposedPorts: { '80/tcp': {}, '53/udp': {} },
    HostConfig: { PortBindings: { '80/tcp': [{ HostPort: '18080' }] } },
  });
  const { Ports } = (await api.inspect(id)).NetworkSettings;
  t.true(Ports['80/tcp']?.some(({ HostPort }) => HostPort === '18080'));
  t.is(Ports['53/udp'], null);
  const again = await api.create({
    ...sleeping,
    ExposedPorts: { '80/tcp': {} },
    HostConfig: { PortBindings: { '80/tcp': [{ HostPort: '18080' }] } },
  });
  const [status, words] = await api.refusal(api.post(`/containers/${again}/start`));
  t.is(status, 500);
  t.regex(words, /port is already allocated/);
  await api.delete(`/containers/${id}?force=1`);
  t.is((await api.post(`/containers/${again}/start`)).status, 204);
});

test('a container is on the network it names, by alias and with its address', async (t) => {
  const api = await startApi(t);
  const net = await network(api, 'front', '10.9.0.0/24');
  const id = await api.run(
    {
      ...sleeping,
      HostConfig: { NetworkMode: 'front' },
      NetworkingConfig: {
        EndpointsConfig: { front: { IPAMConfig: { IPv4Address: '10.9.0.77' }, Aliases: ['www'] } },
      },
    },
    'web',
  );
  const { Networks } = (await api.inspect(id)).NetworkSettings;
  t.deepEqual(Object.keys(Networks), ['front']);
  t.like(Networks.front, { NetworkID: net, IPAddress: '10.9.0.77', IPPrefixLen: 24, Gateway: '10.9.0.1' });
  t.true(JSON.stringify(Networks.front?.Aliases).includes('"www"'));
  t.deepEqual(
    Object.values(await containersOn(api, 'front')).map(({ Name }) => Name),
    ['web'],
  );
  await api.post('/containers/web/rename?name=fresh');
  t.deepEqual(
    Object.values(await containersOn(api, 'front')).map(({ Name }) => Name),
    ['fresh'],
  );
  t.is((await api.refusal(api.delete('/networks/front')))[0], 403);
});

test('networks are joined and left while it runs, and before it runs', async (t) => {
  const api = await startApi(t);
  await network(api, 'front', '10.9.0.0/24');
  await network(api, 'back', '10.9.1.0/24');
  const id = await api.run({ ...sleeping, HostConfig: { NetworkMode: 'front' } });
  t.is((await api.post('/networks/back/connect', { Container: id })).status, 200);
  t.deepEqual(Object.keys((await api.inspect(id)).NetworkSettings.Networks).sort(), ['back', 'front']);
  t.true((await api.refusal(api.post('/networks/back/connect', { Container: id })))[0] >= 400);
  t.is((await api.post('/networks/front/disconnect', { Container: id })).status, 200);
  t.deepEqual(Object.keys(await containersOn(api, 'front')), []);
  t.true((await api.refusal(api.post('/networks/front/disconnect', { Container: id })))[0] >= 400);
  const waiting = await api.create(sleeping);
  t.is((await api.post('/networks/front/connect', { Container: waiting })).status, 200);
  await api.post(`/containers/${waiting}/start`);
  t.true(String((await api.inspect(waiting)).NetworkSettings.Networks.front?.IPAddress).startsWith('10.9.0.'));
});

test('connecting names the network or the container that is absent, the network first', async (t) => {
  const api = await startApi(t);
  await network(api, 'front', '10.9.0.0/24');
  const refusal = (path: string, body: object) => api.refusal(api.post(path, body));
  for (const verb of ['connect', 'disconnect']) {
    t.deepEqual(await refusal(`/networks/gone/${verb}`, { Container: 'web' }), [404, 'network gone not found']);
    t.deepEqual(await refusal(`/networks/front/${verb}`, { Container: 'gone' }), [404, 'No such container: gone']);
    t.is((await refusal(`/networks/front/${verb}`, {}))[0], 400);
  }
});

test('a forced disconnect removes the endpoint of a container that is gone', async (t) => {
  const api = await startApi(t);
  await network(api, 'front', '10.9.0.0/24');
  const networks = api.kernel.service(NetworkService);
  await api.kernel.service(SandboxService).open({
    container: { id: 'f'.repeat(64), name: 'ghost', hostname: '', domainname: '' },
    attachments: [{ networkId: networks.get('front').id, aliases: [], links: {}, ports: [] }],
    dns: { nameservers: [], search: [], options: [] },
  });
  const disconnect = (Force: boolean) => api.post('/networks/front/disconnect', { Container: 'ghost', Force });
  t.deepEqual(await api.refusal(disconnect(false)), [404, 'No such container: ghost']);
  t.is((await disconnect(true)).status, 200);
  t.deepEqual(await containersOn(api, 'front'), {});
  t.deepEqual(await api.refusal(disconnect(true)), [404, 'endpoint ghost not found']);
});

test('a network is free again when its containers have ended', async (t) => {
  const api = await startApi(t);
  await network(api, 'front', '10.9.0.0/30');
  for (let round = 0; round < 3; round += 1) {
    const { id } = await api.runToEnd({ Cmd: ['true'], HostConfig: { NetworkMode: 'front' } });
    await api.delete(`/containers/${id}`);
  }
  t.is((await api.delete('/networks/front')).status, 204);
});

test("the host's stack and no network at all", async (t) => {
  const api = await startApi(t);
  for (const mode of ['host', 'none']) {
    const id = await api.run({ ...sleeping, HostConfig: { NetworkMode: mode } });
    t.deepEqual(Object.keys((await api.inspect(id)).NetworkSettings.Networks), [mode]);
    await network(api, 'front', '10.9.0.0/24');
    t.true((await api.refusal(api.post('/networks/front/connect', { Container: id })))[0] >= 400, mode);
  }
});

test('an image in use is not removed, and its containers outlive it when it is forced', async (t) => {
  const api = await startApi(t);
  const id = await api.create(sleeping);
  t.is((await api.refusal(api.delete('/images/busybox')))[0], 409);
  t.is((await api.delete('/images/busybox?force=1')).status, 200);
  t.is((await api.post(`/containers/${id}/start`)).status, 204);
  await api.post(`/containers/${id}/kill`);
  await api.delete(`/containers/${id}?force=1`);
  await eventually('the image is gone', async () => (await api.get('/images/json')).json<object[]>().length <= 1);
  t.pass();
});
