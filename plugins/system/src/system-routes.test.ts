import { cpus, hostname, totalmem } from 'node:os';
import path from 'node:path';
import { ContainerHost, ContainerService } from '@gantry/containers/service';
import { definePlugin, type EngineEvent } from '@gantry/core';
import engineApi from '@gantry/engine-api';
import events from '@gantry/events';
import images from '@gantry/images';
import { ImageExchange } from '@gantry/images/service';
import { archive, log, network, runtime, state, storage, volume } from '@gantry/memory-drivers';
import { startEngine, type TestOwner } from '@gantry/test-engine';
import volumes from '@gantry/volumes';
import { Type } from '@sinclair/typebox';
import test from 'ava';
import system from './index.js';

/** Of a kernel that can limit nothing but memory. */
const limits = {
  ...{ version: 2, isDelegated: true, memory: true, swap: false, swappiness: false, memoryReservation: false },
  ...{ oomKillDisable: false, cpuShares: false, cpuQuota: false, cpuset: false, pids: false },
  ...{ blkioWeight: false, blkioWeightDevice: false, blkioThrottle: false },
} as const;

/** A fake container service that counts six containers. */
const containers = definePlugin({
  id: 'containers',
  provides: [ContainerService, ContainerHost],
  configSchema: Type.Object({}),
  setup({ container }) {
    const counts = () => ({ total: 6, running: 3, paused: 1, stopped: 2 });
    container.registerValue(ContainerService.token, { counts } as ContainerService);
    container.provide(ContainerService, ContainerService.token);
    container.registerValue(ContainerHost.token, {
      limits,
      securityOptions: ['seccomp', 'userns'],
      initBinary: () => '/sbin/tini',
      devices: async () => ({ specDirectories: ['/etc/cdi'], names: ['vendor.com/gpu=0'] }),
    });
    container.provide(ContainerHost, ContainerHost.token);
  },
});

const start = (t: TestOwner, plugins: object = {}) =>
  startEngine(
    t,
    [engineApi, archive, state, storage, runtime, network, volume, log, events, images, volumes, containers, system],
    {
      plugins: { system: plugins },
    },
  );

/** The fields of info in the specification. */
const infoFields =
  'Architecture CgroupDriver Containers ContainersRunning ContainersStopped ContainersPaused CpuCfsPeriod CpuCfsQuota Debug EngineRootDir Driver DriverStatus ExperimentalBuild HttpProxy HttpsProxy ID IPv4Forwarding Images IndexServerAddress KernelVersion Labels MemTotal MemoryLimit NCPU NEventsListener NFd NGoroutines Name NoProxy OomKillDisable OSType OperatingSystem Plugins RegistryConfig SecurityOptions ServerVersion SwapLimit SystemTime';

test('ping is plain text, for GET and HEAD', async (t) => {
  const engine = await start(t);
  const answer = await engine.ask('GET', '/_ping');
  t.deepEqual([answer.status, answer.text], [200, 'OK']);
  t.regex(answer.headers['content-type'] ?? '', /^text\/plain/);
  const head = await engine.ask('HEAD', '/_ping');
  t.deepEqual([head.status, head.text], [200, '']);
});

test('version has every field of the specification', async (t) => {
  const engine = await start(t);
  const version = (await engine.ask('GET', '/version')).json();
  t.like(version, { ApiVersion: '1.51', MinAPIVersion: '1.51', Os: 'linux', Platform: { Name: '' } });
  for (const field of ['Version', 'KernelVersion', 'GoVersion', 'GitCommit', 'Arch', 'BuildTime']) {
    t.regex(String(version[field]), /./, field);
  }
  t.true(Date.parse(String(version.BuildTime)) <= Date.now());
});

test('info has every field of the specification, and counts containers and images', async (t) => {
  const engine = await start(t, { labels: ['a=1'], debug: true });
  const info = (await engine.ask('GET', '/info')).json();
  for (const field of infoFields.split(' ')) t.true(field in info, field);
  t.like(info, {
    Containers: 6,
    ContainersRunning: 3,
    ContainersPaused: 1,
    ContainersStopped: 2,
    Images: 0,
    Driver: 'memory',
    LoggingDriver: 'memory',
    Labels: ['a=1'],
    Debug: true,
    NCPU: cpus().length,
    MemTotal: totalmem(),
    OSType: 'linux',
    InitBinary: '/sbin/tini',
    SecurityOptions: ['name=seccomp,profile=builtin', 'name=userns'],
    MemoryLimit: true,
    CPUSet: false,
    PidsLimit: false,
    CDISpecDirs: ['/etc/cdi'],
    DiscoveredDevices: [{ Source: 'cdi', ID: 'vendor.com/gpu=0' }],
    EngineRootDir: path.join(engine.directory, 'data'),
  });
  t.deepEqual(info.FirewallBackend, { Driver: 'memory' });
  t.like(info.Plugins, { Volume: ['memory'], Network: ['memory'], Log: ['memory'] });
});

test('info counts open event streams', async (t) => {
  const engine = await start(t);
  const listeners = async () => (await engine.ask('GET', '/info')).json().NEventsListener;
  t.is(await listeners(), 0);
  const { body } = await engine.open('GET', '/events');
  body.on('error', () => undefined);
  t.is(await listeners(), 1);
});

test('the engine id survives a restart and is unique', async (t) => {
  const engine = await start(t);
  const id = async () => (await engine.ask('GET', '/info')).json().ID;
  const first = await id();
  t.regex(String(first), /^([A-Z2-7]{4}:){11}[A-Z2-7]{4}$/);
  await engine.restart();
  t.is(await id(), first);
  t.not(await (async () => (await (await start(t)).ask('GET', '/info')).json().ID)(), first);
});

test('info warns if a fallback storage driver is in use', async (t) => {
  const plain = (await (await start(t)).ask('GET', '/info')).json<{ Warnings: unknown }>();
  t.is(plain.Warnings, null);
  const use = [
    engineApi,
    archive,
    state,
    storage,
    runtime,
    network,
    volume,
    log,
    events,
    images,
    volumes,
    containers,
    system,
  ];
  const engine = await startEngine(t, use, { config: { defaults: { storage: ['overlayfs', 'memory'] } } });
  const { Warnings } = (await engine.ask('GET', '/info')).json<{ Warnings: string[] }>();
  t.deepEqual(Warnings, [
    'WARNING: storage driver overlayfs is unavailable, using memory, which may be slow: no package provides it',
  ]);
});

test('info shows the registries that the source of images is configured with', async (t) => {
  const engine = await start(t);
  const info = async () => (await engine.ask('GET', '/info')).json();
  t.like(await info(), { IndexServerAddress: '' });
  engine.kernel.service(ImageExchange).setSource({
    pull: () => Promise.reject(new Error('not asked')),
    settings: () => ({
      defaultRegistry: 'registry.example',
      mirrors: { 'registry.example': ['https://mirror.example'], 'other.example': ['https://mirror.example/other'] },
      insecureRegistries: ['10.0.0.0/8', 'lab.example:5000'],
    }),
  });
  const { IndexServerAddress, RegistryConfig } = await info();
  t.is(IndexServerAddress, 'https://registry.example/v1/');
  const index = (Name: string, Secure: boolean, Official: boolean, Mirrors: string[]) => ({
    [Name]: { Name, Mirrors, Secure, Official },
  });
  t.deepEqual(RegistryConfig as object, {
    IndexConfigs: {
      ...index('registry.example', true, true, ['https://mirror.example']),
      ...index('other.example', true, false, ['https://mirror.example/other']),
      ...index('lab.example:5000', false, false, []),
    },
    InsecureRegistryCIDRs: ['127.0.0.0/8', '::1/128', '10.0.0.0/8'],
    Mirrors: ['https://mirror.example'],
  });
});

test('a reload applies labels and debug, and publishes an event of the daemon', async (t) => {
  const engine = await start(t, { labels: ['a=1'] });
  const { ID } = (await engine.ask('GET', '/info')).json();
  const published: EngineEvent[] = [];
  engine.kernel.events.subscribe((event) => published.push(event));
  const config = engine.kernel.config;
  const plugins = { ...config.plugins, system: { labels: ['b=2'], debug: true } };
  await engine.kernel.reload({ ...config, plugins });
  t.like((await engine.ask('GET', '/info')).json(), { Labels: ['b=2'], Debug: true });
  t.like(published.at(-1), { type: 'daemon', action: 'reload', actor: { id: ID } });
  t.like(published.at(-1)?.actor.attributes, { name: hostname(), labels: '["b=2"]', debug: 'true' });
});

test('info shows the proxies of the environment, without a password', async (t) => {
  const engine = await start(t);
  process.env.https_proxy = 'http://ann:secret@proxy.test:3128';
  t.teardown(() => void delete process.env.https_proxy);
  const { HttpsProxy } = (await engine.ask('GET', '/info')).json();
  t.is(HttpsProxy, 'http://xxxxx:xxxxx@proxy.test:3128');
});
