import engineApi from '@gantry/engine-api';
import { ipam, sandbox, state } from '@gantry/memory-drivers';
import { startEngine, type TestEngine, type TestOwner } from '@gantry/test-engine';
import test from 'ava';
import networks from './index.js';
import { NetworkService, SandboxService } from './service.js';
import { FakeNetwork, fakeNetwork } from './testing/fake-network.js';
import { attachment, sandboxOf } from './testing/harness.js';

const start = (t: TestOwner): Promise<TestEngine> =>
  startEngine(
    t,
    [
      engineApi,
      state,
      ipam,
      sandbox,
      fakeNetwork('bridge', new FakeNetwork('bridge')),
      fakeNetwork('host', new FakeNetwork('host')),
      fakeNetwork('none', new FakeNetwork('none')),
      networks,
    ],
    { config: { defaults: { network: 'bridge' } } },
  );

const container = 'c0ffee'.repeat(11).slice(0, 64);

const create = async (engine: TestEngine, body: object): Promise<string> =>
  (await engine.ask('POST', '/networks/create', { body })).json<{ Id: string }>().Id;

const message = async (answer: ReturnType<TestEngine['ask']>) => {
  const { status, json } = await answer;
  return [status, json().message];
};

test('a network is created, inspected, listed and removed', async (t) => {
  const engine = await start(t);
  const body = {
    Name: 'front',
    Driver: '',
    Labels: { a: '1' },
    Options: { 'com.docker.network.bridge.name': 'br9' },
    IPAM: {
      Config: [{ Subnet: '10.1.0.0/24', Gateway: '10.1.0.1', IPRange: '10.1.0.0/25', AuxAddress: { dev: '10.1.0.9' } }],
    },
  };
  const made = await engine.ask('POST', '/networks/create', { body });
  t.is(made.status, 201);
  const { Id: id } = made.json<{ Id: string }>();
  t.deepEqual(made.json(), { Id: id, Warning: '' });
  const { Created: created, ...network } = (await engine.ask('GET', '/networks/front')).json();
  t.false(Number.isNaN(Date.parse(String(created))));
  t.deepEqual(network, {
    Name: 'front',
    Id: id,
    Scope: 'local',
    Driver: 'bridge',
    EnableIPv4: true,
    EnableIPv6: false,
    IPAM: {
      Driver: 'default',
      Options: null,
      Config: [
        {
          Subnet: '10.1.0.0/24',
          IPRange: '10.1.0.0/25',
          Gateway: '10.1.0.1',
          AuxAddress: { dev: '10.1.0.9' },
          AuxiliaryAddresses: { dev: '10.1.0.9' },
        },
      ],
    },
    Internal: false,
    Attachable: false,
    Ingress: false,
    ConfigFrom: { Network: '' },
    ConfigOnly: false,
    Containers: {},
    Options: { 'com.docker.network.bridge.name': 'br9' },
    Labels: { a: '1' },
  });
  const removed = await engine.ask('DELETE', `/networks/${id.slice(0, 12)}`);
  t.is(removed.status, 204);
  t.deepEqual(engine.eventSummaries(), [`network create ${id}`, `network destroy ${id}`]);
});

test('the list is filtered', async (t) => {
  const engine = await start(t);
  const id = await create(engine, { Name: 'front', Labels: { tier: 'web' } });
  const names = async (filters?: object) => {
    const query = filters === undefined ? '' : `?filters=${encodeURIComponent(JSON.stringify(filters))}`;
    return (await engine.ask('GET', `/networks${query}`))
      .json<{ Name: string }[]>()
      .map(({ Name }) => Name)
      .sort();
  };
  t.deepEqual(await names(), ['bridge', 'front', 'host', 'none']);
  t.deepEqual(await names({ type: ['custom'] }), ['front']);
  t.deepEqual(await names({ type: ['builtin'] }), ['bridge', 'host', 'none']);
  t.deepEqual(await names({ driver: ['host'] }), ['host']);
  t.deepEqual(await names({ name: ['ron'] }), ['front']);
  t.deepEqual(await names({ name: ['^bri', 'ont$'] }), ['bridge', 'front']);
  t.deepEqual(await names({ name: ['^ron'] }), []);
  t.deepEqual(await names({ id: [id.slice(0, 20)] }), ['front']);
  t.deepEqual(await names({ label: ['tier'] }), ['front']);
  t.deepEqual(await names({ label: ['tier=db'] }), []);
  t.deepEqual(await names({ dangling: ['true'] }), ['front']);
  for (const filters of [{ type: ['nosuch'] }, { nosuch: ['x'] }]) {
    const query = encodeURIComponent(JSON.stringify(filters));
    t.is((await engine.ask('GET', `/networks?filters=${query}`)).status, 400);
  }
});

test('a network shows the containers that are on it', async (t) => {
  const engine = await start(t);
  const id = await create(engine, { Name: 'front', IPAM: { Config: [{ Subnet: '10.1.0.0/24' }] } });
  const { endpoints } = await engine.kernel.service(SandboxService).open(sandboxOf(container, attachment(id)));
  t.deepEqual((await engine.ask('GET', `/networks/${id}`)).json().Containers, {
    [container]: {
      Name: 'name-c0ffeec0ffee',
      EndpointID: endpoints[0]?.id,
      MacAddress: '02:42:00:00:00:01',
      IPv4Address: '10.1.0.2/24',
      IPv6Address: '',
    },
  });
  engine.kernel.service(NetworkService).addContainers({ isRunning: (containerId) => containerId === container });
  t.is((await engine.ask('DELETE', `/networks/${id}`)).status, 403);
});

test('errors have the documented status and message', async (t) => {
  const engine = await start(t);
  await create(engine, { Name: 'front' });
  const post = (path: string, body: object) => message(engine.ask('POST', path, { body }));
  t.deepEqual(await message(engine.ask('GET', '/networks/gone')), [404, 'network gone not found']);
  t.is((await engine.ask('GET', '/networks/bridge?scope=local&verbose=true')).status, 200);
  t.is((await engine.ask('GET', '/networks/bridge?verbose=nix')).status, 400);
  t.deepEqual(await message(engine.ask('GET', '/networks/bridge?scope=swarm')), [
    404,
    'network bridge not found: its scope is not swarm',
  ]);
  t.deepEqual(await message(engine.ask('DELETE', '/networks/gone')), [404, 'network gone not found']);
  for (const name of ['bridge', 'host', 'none', 'default']) {
    t.deepEqual(await post('/networks/create', { Name: name }), [
      403,
      `operation is not permitted on predefined ${name} network`,
    ]);
    if (name === 'default') continue;
    t.deepEqual(await message(engine.ask('DELETE', `/networks/${name}`)), [
      403,
      `${name} is a pre-defined network and cannot be removed`,
    ]);
  }
  t.is((await post('/networks/create', {}))[0], 400);
  t.is((await post('/networks/create', { Name: 'x', Driver: 'overlay' }))[0], 404);
  t.deepEqual(await post('/networks/create', { Name: 'front', CheckDuplicate: true }), [
    409,
    'network with name front already exists',
  ]);
  t.is((await post('/networks/create', { Name: 'x', IPAM: { Config: [{ Subnet: 'x/24' }] } }))[0], 400);
});

test('networks survive a restart', async (t) => {
  const engine = await start(t);
  await create(engine, { Name: 'front', IPAM: { Config: [{ Subnet: '10.1.0.0/24' }] } });
  const before = (await engine.ask('GET', '/networks/front')).text;
  await engine.restart();
  t.is((await engine.ask('GET', '/networks/front')).text, before);
  t.is((await engine.ask('GET', '/networks')).json<object[]>().length, 4);
  t.is(
    (
      await engine.ask('POST', '/networks/create', {
        body: { Name: 'x', IPAM: { Config: [{ Subnet: '10.1.0.0/25' }] } },
      })
    ).status,
    403,
  );
});

test('a configuration network lends its settings, and stays while a network has them', async (t) => {
  const engine = await start(t);
  const pool = {
    Subnet: '10.1.0.0/24',
    IPRange: '10.1.0.0/25',
    Gateway: '10.1.0.7',
    AuxAddress: { dev: '10.1.0.9' },
    AuxiliaryAddresses: { dev: '10.1.0.9' },
  };
  const settings = { Options: { o: '1' }, Labels: { a: 'b' }, IPAM: { Config: [pool] } };
  await create(engine, { Name: 'settings', ConfigOnly: true, Driver: 'nosuch', ...settings });
  const inspect = async (name: string) => (await engine.ask('GET', `/networks/${name}`)).json();
  const stored = { ConfigOnly: true, Driver: 'null', Scope: 'local', ...settings };
  t.like(await inspect('settings'), stored);
  await create(engine, { Name: 'front', ConfigFrom: { Network: 'settings' }, Internal: true });
  t.like(await inspect('front'), {
    ...settings,
    ConfigOnly: false,
    ConfigFrom: { Network: 'settings' },
    Driver: 'bridge',
    Internal: true,
  });
  t.deepEqual(await message(engine.ask('DELETE', '/networks/settings')), [
    403,
    'error while removing network: configuration network "settings" is in use',
  ]);
  const pruned = await engine.ask('POST', '/networks/prune');
  t.deepEqual(pruned.json(), { NetworksDeleted: ['front'] });
  t.like(await inspect('settings'), stored);
  t.is((await engine.ask('DELETE', '/networks/settings')).status, 204);
});

test('no container joins a configuration network', async (t) => {
  const engine = await start(t);
  const id = await create(engine, { Name: 'settings', ConfigOnly: true });
  await t.throwsAsync(engine.kernel.service(SandboxService).open(sandboxOf(container, attachment(id))), {
    message: 'cannot create endpoint on configuration-only network',
  });
});

for (const [body, status, words] of [
  [{ ConfigOnly: true, ConfigFrom: { Network: 'settings' } }, 403, /cannot depend on another configuration network/],
  [{ ConfigOnly: true, Internal: true }, 403, /can only contain network specific fields/],
  [{ ConfigOnly: true, Attachable: true }, 403, /can only contain network specific fields/],
  [{ ConfigOnly: true, IPAM: { Config: [{ Subnet: '10.1.0.0/33' }] } }, 400, /invalid subnet 10\.1\.0\.0\/33/],
  [{ ConfigFrom: { Network: 'nosuch' } }, 404, /configuration network "nosuch" does not exist/],
  [{ ConfigFrom: { Network: 'bridge' } }, 404, /configuration network "bridge" does not exist/],
  [{ ConfigFrom: { Network: 'settings' }, Labels: { a: 'b' } }, 403, /user specified configurations/],
  [{ ConfigFrom: { Network: 'settings' }, EnableIPv6: true }, 403, /user specified configurations/],
  [{ ConfigFrom: { Network: 'settings' }, EnableIPv4: false, EnableIPv6: true }, 403, /user specified configurations/],
  [{ ConfigFrom: { Network: 'settings' }, Options: { a: 'b' } }, 403, /network driver options are not supported/],
  [{ ConfigFrom: { Network: 'net' } }, 404, /configuration network "net" does not exist/],
  [{ EnableIPv4: false }, 400, /IPv4 or IPv6 must be enabled/],
  [{ EnableIPv4: false, EnableIPv6: false }, 400, /IPv4 or IPv6 must be enabled/],
] as const) {
  test(`a network with ${JSON.stringify(body)} is refused`, async (t) => {
    const engine = await start(t);
    await create(engine, { Name: 'settings', ConfigOnly: true });
    const [actual, text] = await message(engine.ask('POST', '/networks/create', { body: { Name: 'net', ...body } }));
    t.is(actual, status);
    t.regex(String(text), words);
    t.is((await engine.ask('GET', '/networks/net')).status, 404);
  });
}

test('the fields that enable a family count before the options that do', async (t) => {
  const engine = await start(t);
  const families = async (name: string, body: object) => {
    await create(engine, { Name: name, ...body });
    const { EnableIPv4, EnableIPv6, IPAM } = (await engine.ask('GET', `/networks/${name}`)).json<{
      EnableIPv4: boolean;
      EnableIPv6: boolean;
      IPAM: { Config: object[] };
    }>();
    return [EnableIPv4, EnableIPv6, IPAM.Config.length];
  };
  const Options = { 'com.docker.network.enable_ipv4': 'false', 'com.docker.network.enable_ipv6': 'true' };
  t.deepEqual(await families('plain', {}), [true, false, 1]);
  const IPAM = (number: number) => ({ Config: [{ Subnet: `fd00:${number}::/64` }] });
  t.deepEqual(await families('six', { EnableIPv4: false, EnableIPv6: true, IPAM: IPAM(1) }), [false, true, 1]);
  t.deepEqual(await families('options', { Options, IPAM: IPAM(2) }), [false, true, 1]);
  t.deepEqual(await families('fields', { Options, EnableIPv4: true, EnableIPv6: false }), [true, false, 1]);
});
