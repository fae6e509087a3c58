import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type NetworkCapabilities, type StateDriver, StateDrivers } from '@gantry/core/contracts';
import { createDriver, defineDriver } from '@gantry/core/driver';
import { state } from '@gantry/memory-drivers';
import { startEngine, type TestOwner } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import type { FakeNetwork } from './fake-network.js';

/** What the versions of the driver and their test share. */
interface Shared {
  readonly capabilities: Partial<NetworkCapabilities>;
  readonly versions: Map<number, FakeNetwork>;
  onCall(call: string): void;
}

/** Fake networks of a package of their own, which another version can replace. */
const codeOf = (key: string, version: number): string => `
  import { FakeNetwork, fakeNetwork } from ${JSON.stringify(new URL('fake-network.js', import.meta.url).href)};
  const shared = globalThis[${JSON.stringify(key)}];
  class Replaceable extends FakeNetwork {
    async join(...args) {
      const joined = await super.join(...args);
      shared.onCall('join');
      return joined;
    }
    async leave(...args) {
      await super.leave(...args);
      shared.onCall('leave');
    }
  }
  const driver = new Replaceable();
  Object.assign(driver.capabilities, shared.capabilities);
  driver.peers = async () => undefined;
  shared.versions.set(${version}, driver);
  export default fakeNetwork('replaceable', driver);`;

/** An engine whose driver `replaceable` has versions, and whose records can be kept from being stored. */
export async function startReplaceable(
  t: TestOwner,
  definitions: Parameters<typeof startEngine>[1],
  capabilities: Partial<NetworkCapabilities> = {},
) {
  let stored = Promise.resolve();
  const definition = defineDriver({
    id: 'held',
    provides: StateDrivers,
    configSchema: Type.Object({}),
    async create(context) {
      const { driver } = await createDriver(state, { ...context, config: {} });
      const held: Pick<StateDriver, 'transaction'> = {
        transaction: (work) => stored.then(() => driver.transaction(work)),
      };
      return new Proxy(driver, {
        get(target, name) {
          if (name === 'transaction') return held.transaction;
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    },
  });
  const config = { defaults: { network: 'bridge' }, stopTimeoutSeconds: 1 };
  const engine = await startEngine(t, [definition, ...definitions], { config });
  const { directory, kernel, socketPath } = engine;
  const shared: Shared = { capabilities, versions: new Map(), onCall: () => undefined };
  Object.assign(globalThis, { [directory]: shared });
  t.teardown(() => void Reflect.deleteProperty(globalThis, directory));
  const install = async (version: number): Promise<readonly string[]> => {
    const place = path.join(directory, `version-${version}`);
    await mkdir(place, { recursive: true });
    const gantry = { driver: { id: 'replaceable', provides: 'network/1.3' } };
    const manifest = { name: 'gantry-network-replaceable', version: `${version}.0.0`, type: 'module', gantry };
    await writeFile(path.join(place, 'package.json'), JSON.stringify({ ...manifest, exports: './index.js' }));
    await writeFile(path.join(place, 'index.js'), codeOf(directory, version));
    const places = { dataRoot: path.join(directory, 'data'), execRoot: path.join(directory, 'run') };
    const plugins = { 'engine-api': { hosts: [`unix://${socketPath}`] } };
    const { joined, replaced } = await kernel.reload({ ...config, ...places, plugins, extraPackages: [place] });
    return [...joined, ...replaced];
  };
  return {
    ...engine,
    kernel,
    /** Has a version join, or take over. */
    install,
    endpointsOf: (version: number): readonly string[] => [...(shared.versions.get(version)?.endpoints.keys() ?? [])],
    /** Keeps what follows a call of the driver from being stored. Resolves when it was called, to what lets it be stored. */
    holdAfter: (call: 'join' | 'leave'): Promise<() => void> =>
      new Promise((resolve) => {
        shared.onCall = (each) => {
          if (each !== call) return;
          shared.onCall = () => undefined;
          stored = new Promise((store) => resolve(store));
        };
      }),
  };
}
