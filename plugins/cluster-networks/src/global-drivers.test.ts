import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import certificateAuthority from '@gantry/certificate-authority-local';
import cluster from '@gantry/cluster';
import { type NetworkDriver, NetworkDrivers, type NetworkNode, type NetworkSpec } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import engineApi from '@gantry/engine-api';
import { clusterStore, ipam, log, network, sandbox, state, volume } from '@gantry/memory-drivers';
import networks from '@gantry/networks';
import { eventually, startEngine } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import test, { type ExecutionContext } from 'ava';
import clusterNetworks from './index.js';

let addresses = 0;

function newAddress(): string {
  const number = (process.pid * 251 + ++addresses) % 2 ** 22;
  return `127.${64 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}:2377`;
}

/** A driver of global scope that records what it is asked. */
class WideNetworks {
  readonly capabilities = {
    ...{ scope: 'global', userDefined: true, addresses: true, publish: false, hostStack: false },
    ...{ nodes: true, allocates: true },
  } as const;
  readonly allocated: NetworkSpec[] = [];
  readonly freed: string[] = [];
  readonly created: string[] = [];
  readonly given: (readonly NetworkNode[])[] = [];
  failure: Error | undefined;

  validate(): void {}
  async createNetwork({ id }: NetworkSpec): Promise<void> {
    this.created.push(id);
  }
  async removeNetwork(): Promise<void> {}
  async leave(): Promise<void> {}
  async restore(): Promise<void> {}
  async join(): Promise<never> {
    throw new Error('nothing joins');
  }
  async nodes(nodes: readonly NetworkNode[]): Promise<void> {
    this.given.push(nodes);
  }
  async allocateNetwork(spec: NetworkSpec): Promise<Readonly<Record<string, string>>> {
    this.allocated.push(spec);
    if (this.failure !== undefined) throw this.failure;
    return { ...spec.options, number: spec.options.number ?? String(this.allocated.length) };
  }
  async freeNetwork(networkId: string): Promise<void> {
    this.freed.push(networkId);
  }
}

const definitionOf = (driver: WideNetworks) =>
  defineDriver({
    id: 'wide',
    provides: NetworkDrivers,
    configSchema: Type.Object({}),
    create: () => driver as NetworkDriver,
  });

const config = { defaults: { network: 'memory' } };

async function start(t: ExecutionContext, wide?: WideNetworks) {
  const driver = wide ?? new WideNetworks();
  const own = wide === undefined ? [definitionOf(driver)] : [];
  const drivers = [state, volume, network, ipam, sandbox, log, clusterStore, certificateAuthority];
  const definitions = [engineApi, ...drivers, ...own, networks, cluster, clusterNetworks];
  const engine = await startEngine(t, definitions, { config });
  const create = (Name: string, more: object = {}) =>
    engine.ask('POST', '/networks/create', { body: { Name, Driver: 'wide', Options: { color: 'blue' }, ...more } });
  return { create, driver, engine };
}

/** @param wide the driver, which the test adds itself. */
async function startSwarm(t: ExecutionContext, wide?: WideNetworks) {
  const started = await start(t, wide);
  const address = newAddress();
  const init = { ListenAddr: address, AdvertiseAddr: address };
  t.is((await started.engine.ask('POST', '/swarm/init', { body: init })).status, 200);
  t.teardown(() => started.engine.ask('POST', '/swarm/leave?force=1'));
  return { ...started, host: address.split(':')[0] ?? '' };
}

test('outside of a swarm a network of a driver with global scope is one of the engine', async (t) => {
  const { create, driver, engine } = await start(t);
  t.is((await create('own')).status, 201);
  t.like((await engine.ask('GET', '/networks/own')).json(), { Scope: 'global', Options: { color: 'blue' } });
  t.is((await create('none', { Scope: 'swarm' })).status, 403);
  t.is(driver.created.length, 1);
  t.deepEqual(driver.allocated, []);
  t.deepEqual(driver.given.at(-1), []);
});

test('in a swarm it is one of the swarm: allocated by the leader, and freed', async (t) => {
  const { create, driver, engine } = await startSwarm(t);
  const made = await create('shared');
  t.is(made.status, 201);
  const { Id: id } = made.json<{ Id: string }>();
  t.like(driver.allocated[0], { id, name: 'shared', options: { color: 'blue' } });
  t.is(driver.allocated[0]?.pools.length, 1);
  t.deepEqual(driver.created, [], 'nothing is on it here');
  const shown = (await engine.ask('GET', '/networks/shared')).json();
  t.like(shown, { Id: id, Scope: 'swarm', Driver: 'wide' });
  t.deepEqual(shown.Options, { color: 'blue', number: '1' });
  t.is((await create('local', { Scope: 'local' })).status, 403);
  t.regex((await create('mesh', { Ingress: true })).text, /Ingress: true is not supported/);
  t.is((await engine.ask('DELETE', '/networks/shared')).status, 204);
  t.deepEqual(driver.freed, [id]);
});

test('a network that its driver does not allocate is refused, and nothing is left of it', async (t) => {
  const { create, driver, engine } = await startSwarm(t);
  driver.failure = new Error('there are no numbers left');
  const refused = await create('shared');
  t.is(refused.status, 500);
  t.regex(refused.text, /there are no numbers left/);
  t.is((await engine.ask('GET', '/networks/shared')).status, 404);
  driver.failure = undefined;
  t.is((await create('shared')).status, 201);
});

test('the next leader allocates the networks that there are, with what was allocated before', async (t) => {
  const { create, driver, engine } = await startSwarm(t);
  await create('shared');
  driver.failure = new Error('starting');
  await engine.restart();
  await eventually('an attempt', async () => driver.allocated.length >= 2);
  driver.failure = undefined;
  await eventually('another attempt', async () => driver.allocated.length >= 3);
  t.deepEqual(driver.allocated.at(-1)?.options, { color: 'blue', number: '1' });
  t.deepEqual((await engine.ask('GET', '/networks/shared')).json().Options, { color: 'blue', number: '1' });
});

test('a driver is given the nodes, again after a restart, and none once the engine has left', async (t) => {
  const { driver, engine, host } = await startSwarm(t);
  const own = () => (driver.given.at(-1) ?? []).map(({ address, isSelf }) => ({ address, isSelf }));
  const isGiven = async () => JSON.stringify(own()) === JSON.stringify([{ address: host, isSelf: true }]);
  await eventually('the own node', isGiven);
  driver.given.length = 0;
  await engine.restart();
  await eventually('the own node again', isGiven);
  t.false(driver.given.some((nodes) => nodes.length === 0));
  await engine.ask('POST', '/swarm/leave?force=1');
  await eventually('no nodes', async () => driver.given.at(-1)?.length === 0);
});

test('another version of a driver is asked again for what the older one had allocated', async (t) => {
  const versions = [new WideNetworks(), new WideNetworks()] as const;
  const { create, engine } = await startSwarm(t, versions[0]);
  const { directory, kernel, socketPath } = engine;
  Object.assign(globalThis, { [directory]: versions.map(definitionOf) });
  t.teardown(() => void Reflect.deleteProperty(globalThis, directory));
  const install = async (version: 0 | 1) => {
    const place = path.join(directory, `version-${version}`);
    await mkdir(place);
    const gantry = { driver: { id: 'wide', provides: 'network/1.3' } };
    const manifest = { name: 'gantry-network-wide', version: `${version}.0.0`, type: 'module', gantry };
    await writeFile(path.join(place, 'package.json'), JSON.stringify({ ...manifest, exports: './index.js' }));
    await writeFile(
      path.join(place, 'index.js'),
      `export default globalThis[${JSON.stringify(directory)}][${version}];`,
    );
    const places = { dataRoot: path.join(directory, 'data'), execRoot: path.join(directory, 'run') };
    const plugins = { 'engine-api': { hosts: [`unix://${socketPath}`] } };
    return kernel.reload({ ...config, ...places, plugins, extraPackages: [place] });
  };
  await install(0);
  const { Id: id } = (await create('shared')).json<{ Id: string }>();
  t.like(await install(1), { replaced: ['network/wide'] });
  await eventually('the newer version is asked', async () => versions[1].allocated.length > 0);
  t.like(versions[1].allocated, [{ id, options: { color: 'blue', number: '1' } }]);
  t.is((await engine.ask('DELETE', '/networks/shared')).status, 204);
  t.deepEqual([versions[0].freed, versions[1].freed], [[], [id]]);
});
