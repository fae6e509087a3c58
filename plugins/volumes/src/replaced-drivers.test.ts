import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { definePlugin } from '@gantry/core/plugin';
import engineApi from '@gantry/engine-api';
import { state, volume } from '@gantry/memory-drivers';
import { startEngine, type TestOwner } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import test from 'ava';
import volumes from './index.js';
import { VolumeService } from './service.js';
import type { FakeVolumes } from './testing/fake-volumes.js';

/** Fake volumes of a package of their own, which another version can replace: it has the volumes, and none is mounted. */
const codeOf = (key: string): string => `
  import { FakeVolumes, fakeVolumes } from ${JSON.stringify(new URL('testing/fake-volumes.js', import.meta.url).href)};
  const shared = globalThis[${JSON.stringify(key)}];
  class Replaceable extends FakeVolumes {
    async start() {
      for (const name of shared.current?.volumes.keys() ?? []) this.volumes.set(name, new Set());
      shared.current = this;
    }
  }
  export default fakeVolumes('replaceable', new Replaceable());`;

/** An engine whose driver `replaceable` has versions, and whose callers can be kept from learning that a call has ended. */
async function start(t: TestOwner) {
  const shared: { current?: FakeVolumes } = {};
  let onAnswer: ((method: string) => Promise<void> | undefined) | undefined;
  const observing = definePlugin({
    id: 'observing',
    configSchema: Type.Object({}),
    observer: () => ({
      observe: ({ method }, run) => {
        const result: unknown = run();
        if (!(result instanceof Promise)) return result as never;
        return result.then(async (answer) => {
          await onAnswer?.(method);
          return answer;
        }) as never;
      },
    }),
    setup: () => ({}),
  });
  const config = { stopTimeoutSeconds: 1, defaults: { volume: 'memory' } };
  const engine = await startEngine(t, [observing, engineApi, state, volume, volumes], { config });
  const { directory, kernel, socketPath } = engine;
  Object.assign(globalThis, { [directory]: shared });
  t.teardown(() => void Reflect.deleteProperty(globalThis, directory));
  const install = async (version: number): Promise<readonly string[]> => {
    const place = path.join(directory, `version-${version}`);
    await mkdir(place, { recursive: true });
    const gantry = { driver: { id: 'replaceable', provides: 'volume/1.0' } };
    const manifest = { name: 'gantry-volume-replaceable', version: `${version}.0.0`, type: 'module', gantry };
    await writeFile(path.join(place, 'package.json'), JSON.stringify({ ...manifest, exports: './index.js' }));
    await writeFile(path.join(place, 'index.js'), codeOf(directory));
    const places = { dataRoot: path.join(directory, 'data'), execRoot: path.join(directory, 'run') };
    const plugins = { 'engine-api': { hosts: [`unix://${socketPath}`] } };
    const { joined, replaced } = await kernel.reload({ ...config, ...places, plugins, extraPackages: [place] });
    return [...joined, ...replaced];
  };
  await install(1);
  return {
    install,
    volumes: kernel.service(VolumeService),
    usersOf: (name: string) => [...(shared.current?.volumes.get(name) ?? [])],
    /** Keeps the caller of a method from learning that it has ended. Resolves when it has, to what lets the caller go on. */
    holdAnswer: (method: string): Promise<() => void> =>
      new Promise((resolve) => {
        onAnswer = (each) => {
          if (each !== method) return undefined;
          onAnswer = undefined;
          return new Promise((goOn) => resolve(goOn));
        };
      }),
  };
}

const use = { containerId: 'c1', destination: '/d', readWrite: true, propagation: '' };

for (const [method, what, users] of [
  ['mount', 'mounting a volume', ['c1']],
  ['unmount', 'unmounting a volume', []],
] as const) {
  test(`another version that takes over during a call of ${method} is given the mounts as the call left them`, async (t) => {
    const { holdAnswer, install, usersOf, volumes } = await start(t);
    await volumes.ensure({ name: 'data', driver: 'replaceable' });
    if (method === 'unmount') await volumes.mount('data', use);
    const held = holdAnswer(method);
    const change = volumes[method]('data', use);
    const goOn = await held;
    await t.throwsAsync(install(2), {
      message: `volume/replaceable: calls have not ended within 1 s (1 of ${what}); nothing was changed`,
    });
    const replaced = install(2);
    goOn();
    await change;
    t.deepEqual(await replaced, ['volume/replaceable']);
    t.deepEqual(usersOf('data'), users);
  });
}
