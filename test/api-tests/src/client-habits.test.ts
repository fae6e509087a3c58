import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { definePlugin } from '@gantry/core';
import { inject, injectable } from '@gantry/core/driver';
import { forbidden } from '@gantry/core/errors';
import { EngineApi } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';
import test from 'ava';
import { type ApiEngine, startApi } from './testing/start-engine.js';

/** What clients and their test suites rely on, beyond the document. */

const sleeping = { Cmd: ['sleep', '300'] };

const network = (api: ApiEngine, Name: string, more: object = {}) =>
  api.post('/networks/create', { Name, IPAM: { Config: [{ Subnet: '10.9.0.0/24' }] }, ...more });

const start = (api: ApiEngine, id: string) => api.post(`/containers/${id}/start`);

test('on a user-defined network a container starts with links to what is absent', async (t) => {
  const api = await startApi(t);
  await network(api, 'front');
  await api.run({ ...sleeping, HostConfig: { NetworkMode: 'front', Links: ['nosuch:n'] } });
  const onBridge = api.post('/containers/create', {
    Image: 'busybox',
    ...sleeping,
    HostConfig: { Links: ['nosuch:n'] },
  });
  t.deepEqual(await api.refusal(onBridge), [400, 'No such container: nosuch']);
});

test('a link to a container in the network of another leads to that other one', async (t) => {
  const api = await startApi(t);
  const db = await api.run(sleeping, 'db');
  await api.run({ ...sleeping, HostConfig: { NetworkMode: 'container:db' } }, 'joined');
  const linked = await api.run({ ...sleeping, HostConfig: { Links: ['joined:n'] } }, 'web');
  t.deepEqual((await api.inspect(linked)).HostConfig.Links, ['/db:/web/n']);
  t.truthy(db);
});

test('an absent container whose network is to be joined is reported by the start', async (t) => {
  const api = await startApi(t);
  const id = await api.create({ ...sleeping, HostConfig: { NetworkMode: 'container:absent' } });
  t.deepEqual(await api.refusal(start(api, id)), [404, 'No such container: absent']);
  await api.run(sleeping, 'absent');
  t.is((await start(api, id)).status, 204);
  for (const mode of ['PidMode', 'IpcMode']) {
    const body = { Image: 'busybox', ...sleeping, HostConfig: { [mode]: 'container:gone' } };
    t.deepEqual(await api.refusal(api.post('/containers/create', body)), [400, 'No such container: gone']);
  }
});

test('an IPv6 address is accepted on a network with an IPv6 subnet, and used where IPv6 is enabled', async (t) => {
  const api = await startApi(t);
  const ipam = (six: string, four: string) => ({ IPAM: { Config: [{ Subnet: four }, { Subnet: six }] } });
  const option = { Options: { 'com.docker.network.enable_ipv6': 'true' } };
  t.is((await network(api, 'reserved', ipam('fd00:9::/64', '10.9.1.0/24'))).status, 201);
  t.is((await network(api, 'enabled', { ...ipam('fd00:8::/64', '10.9.2.0/24'), ...option })).status, 201);
  t.is((await network(api, 'plain')).status, 201);
  const addressOn = async (name: string, IPv6Address: string) => {
    const EndpointsConfig = { [name]: { IPAMConfig: { IPv6Address } } };
    const id = await api.create({
      ...sleeping,
      HostConfig: { NetworkMode: name },
      NetworkingConfig: { EndpointsConfig },
    });
    const started = await start(api, id);
    return started.status === 204
      ? (await api.inspect(id)).NetworkSettings.Networks[name]?.GlobalIPv6Address
      : started.json().message;
  };
  t.is(await addressOn('reserved', 'fd00:9::7'), '');
  t.is(await addressOn('enabled', 'fd00:8::7'), 'fd00:8::7');
  t.regex(
    String(await addressOn('plain', 'fd00:7::7')),
    /only when connecting to networks with user configured subnets/,
  );
  const bad = network(api, 'bad', { Options: { 'com.docker.network.enable_ipv6': 'maybe' } });
  t.regex((await api.refusal(bad))[1], /com\.docker\.network\.enable_ipv6 value: "maybe"/);
});

test('containers are found by the source of a bind, too', async (t) => {
  const api = await startApi(t);
  await api.create({ HostConfig: { Binds: ['/nosuch/source:/mnt', 'named:/n'] } }, 'bound');
  const names = async (volume: string) => {
    const filters = encodeURIComponent(JSON.stringify({ volume: [volume] }));
    return (await api.get(`/containers/json?all=1&filters=${filters}`))
      .json<{ Names: string[] }[]>()
      .flatMap(({ Names }) => Names);
  };
  for (const volume of ['/nosuch/source', '/mnt', 'named', '/n']) t.deepEqual(await names(volume), ['/bound'], volume);
  t.deepEqual(await names('/nosuch'), []);
});

test('the working directory is there when the container is created', async (t) => {
  const api = await startApi(t);
  const id = await api.create({ WorkingDir: '/a/b/c' });
  t.is((await api.get(`/containers/${id}/archive?path=/a/b/c`)).status, 200);
  const refused = api.post('/containers/create', { Image: 'busybox', WorkingDir: '/etc/passwd/x' });
  t.deepEqual(await api.refusal(refused), [
    400,
    'WorkingDir: cannot create /etc/passwd/x: /etc/passwd is not a directory',
  ]);
});

test('ids of users and groups beyond the range of signed integers are refused', async (t) => {
  const api = await startApi(t);
  for (const User of ['2147483648', '-1', '1:2147483648', '0:-1']) {
    const [status, message] = await api.refusal(api.post('/containers/create', { Image: 'busybox', User }));
    t.is(status, 400);
    t.regex(message, /^User: -?\d+ is out of range \[0, 2147483647\]$/);
  }
  await api.create({ User: '2147483647:2147483647' });
});

test('an image or a request that publishes every port is within the limits of a body', async (t) => {
  const api = await startApi(t);
  const ports = Array.from({ length: 65_535 }, (_, index) => `${index + 1}/tcp`);
  const id = await api.create({
    ExposedPorts: Object.fromEntries(ports.map((port) => [port, {}])),
    HostConfig: { PortBindings: Object.fromEntries(ports.map((port) => [port, [{ HostIp: '', HostPort: '' }]])) },
  });
  t.is(Object.keys((await api.inspect(id)).HostConfig.PortBindings as object).length, 65_535);
});

test('the driver of the network none is null', async (t) => {
  const api = await startApi(t);
  const drivers = async (query = '') =>
    (await api.get(`/networks${query}`))
      .json<{ Driver: string; Name: string }[]>()
      .map(({ Name, Driver }) => [Name, Driver]);
  t.deepEqual((await api.get('/networks/none')).json().Driver, 'null');
  t.deepEqual(await drivers(`?filters=${encodeURIComponent('{"driver":["null"]}')}`), [['none', 'null']]);
  t.deepEqual(await api.refusal(api.post('/networks/create', { Name: 'second', Driver: 'null' })), [
    403,
    'only one instance of "null" network is allowed',
  ]);
});

test('a create that is refused has made no volume', async (t) => {
  const api = await startApi(t);
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-habits-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const absent = path.join(directory, 'absent');
  const refusal = (HostConfig: object) => api.refusal(api.post('/containers/create', { Image: 'busybox', HostConfig }));
  t.deepEqual(await refusal({ Binds: ['one:/x', 'two:/x'] }), [400, 'Duplicate mount point: /x']);
  t.deepEqual(await refusal({ Binds: ['one:/x'], Mounts: [{ Type: 'bind', Source: absent, Target: '/y' }] }), [
    400,
    `invalid mount config for type "bind": bind source path does not exist: ${absent}`,
  ]);
  t.deepEqual((await api.get('/volumes')).json().Volumes, []);
});

test('the size of a terminal that a container lacks is ignored', async (t) => {
  const api = await startApi(t);
  const id = await api.run(sleeping);
  t.is((await api.post(`/containers/${id}/resize?h=10&w=20`)).status, 200);
});

test('a label that the host cannot give is kept with a warning', async (t) => {
  const api = await startApi(t);
  const create = async (...SecurityOpt: string[]) =>
    (await api.post('/containers/create', { Image: 'busybox', HostConfig: { SecurityOpt } })).json();
  t.deepEqual((await create('label=level:s0')).Warnings, [
    'SecurityOpt: "label=level:s0" has no effect: SELinux does not confine containers on this host',
  ]);
  t.deepEqual((await create('label=disable')).Warnings, []);
  t.regex(String((await create('label=nosuch:x')).message), /SecurityOpt: invalid/);
});

/** A package with a hook that judges requests as authorization plugins do. */
function policy(seen: Record<string, Record<string, unknown>>[], refuses: (body: string) => boolean) {
  @injectable()
  class Policy {
    constructor(@inject(EngineApi.token) private readonly api: EngineApi) {}

    async start(): Promise<void> {
      this.api.use('authorize', (ctx, next) => {
        ctx.state.reviewers.push(async (effective) => {
          seen.push(effective as Record<string, Record<string, unknown>>);
          if (refuses(JSON.stringify(effective))) throw forbidden('not that container');
        });
        return next();
      });
    }
  }
  return definePlugin({ id: 'policy', requires: [EngineApi], configSchema: Type.Object({}), setup: () => Policy });
}

test('create, start and restart are judged by the container as it would run, and a refusal leaves nothing', async (t) => {
  const seen: Record<string, Record<string, unknown>>[] = [];
  const isInherited = (body: string) =>
    body.includes('"VolumesFrom":["donor"]') && body.includes('"Binds":["/etc:/e"]');
  const api = await startApi(t, { use: [policy(seen, isInherited)] });
  await api.create({ HostConfig: { Binds: ['/etc:/e'] } }, 'donor');
  const refused = { Image: 'busybox', HostConfig: { VolumesFrom: ['donor'], Binds: ['/y'] } };
  t.deepEqual(await api.refusal(api.post('/containers/create?name=web', refused)), [403, 'not that container']);
  t.is((await api.get('/containers/json?all=1')).json<object[]>().length, 1);
  t.deepEqual((await api.get('/volumes')).json().Volumes, []);
  const onHost = await api.run({ ...sleeping, HostConfig: { NetworkMode: 'host' } }, 'on-host');
  const id = await api.create({ ...sleeping, HostConfig: { NetworkMode: 'container:absent' } }, 'web');
  t.is(seen.at(-1)?.HostConfig?.NetworkMode, 'container:absent');
  await api.post(`/containers/${onHost}/rename?name=absent`);
  t.is((await start(api, id)).status, 204);
  t.is(seen.at(-1)?.HostConfig?.NetworkMode, 'host');
  const before = seen.length;
  t.is((await api.post(`/containers/${id}/restart?t=0`)).status, 204);
  t.is(seen.length, before + 1);
});

test('a start takes no configuration', async (t) => {
  const api = await startApi(t);
  const id = await api.create(sleeping);
  const started = api.post(`/containers/${id}/start`, { Privileged: true });
  t.regex((await api.refusal(started))[1], /non-empty request body/);
  t.is((await api.post(`/containers/${id}/start`, {})).status, 204);
});
