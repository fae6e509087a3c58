import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import { Kernel } from './kernel.js';
import { serializeError } from './logging/serialize-error.js';

/** A package of the driver kind `bell`, as a third party would publish it, with one thing wrong. */
interface Faulty {
  readonly what: string;
  readonly manifest?: object;
  readonly code: string;
  /** Its section of the configuration. */
  readonly section?: object;
  readonly words: RegExp;
}

const manifest = { driver: { id: 'loud', provides: 'bell/1.0' } };
const bell = (more: string, id = 'loud', major = 1): string => `
  import { Type } from '${import.meta.resolve('@sinclair/typebox')}';
  export const point = { kind: 'bell', version: { major: ${major}, minor: 0 }, token: Symbol.for('test.bell'), methods: ['ring'] };
  export default { id: '${id}', provides: point, configSchema: Type.Object({}), ${more} };
`;
const plugin = `
  import { Type } from '${import.meta.resolve('@sinclair/typebox')}';
  export default { id: 'faulty', configSchema: Type.Object({}), setup: () => undefined,
    requires: [{ kind: 'bell', version: { major: 1, minor: 0 }, token: Symbol.for('test.missing') }] };
`;

const faulty: readonly Faulty[] = [
  {
    what: 'whose import is broken',
    code: `import './missing.js';`,
    words: /^package faulty cannot be loaded: Cannot find module .*missing\.js/,
  },
  {
    what: 'whose import never ends',
    code: 'await new Promise(() => undefined);',
    words: /^package \.\/faulty: loading did not finish within 5 s$/,
  },
  {
    what: 'with a wrong manifest',
    manifest: { driver: { id: 'loud' } },
    code: bell('create: () => ({ ring() {} })'),
    words: /^package \.\/faulty: gantry\.driver\.provides in its package\.json is missing/,
  },
  {
    what: 'made for another version',
    manifest: { driver: { id: 'loud', provides: 'bell/2.0' } },
    code: bell('create: () => ({ ring() {} })'),
    words: /^package faulty: it provides bell\/2\.0, and this engine has bell\/1\.0/,
  },
  {
    what: 'with an id that is taken',
    manifest: { driver: { id: 'quiet', provides: 'bell/1.0' } },
    code: bell('create: () => ({ ring() {} })', 'quiet'),
    words: /^bell\/quiet is provided twice: by package good and by package faulty$/,
  },
  {
    what: 'that requires what no package provides',
    manifest: { plugin: { id: 'faulty' } },
    code: plugin,
    words: /^faulty requires bell\/1, which no package in "packages" provides$/,
  },
  {
    what: 'whose creation throws',
    code: bell(`create: () => { throw new Error('no clapper'); }`),
    words: /^(bell\/loud cannot start: )?no clapper$/,
  },
  {
    what: 'whose start hangs',
    code: bell('create: () => ({ ring() {}, start: () => new Promise(() => undefined) })'),
    words: /^(bell\/loud cannot start: )?bell\/loud: starting did not finish within 5 s: start\(\) has not settled$/,
  },
  {
    what: 'that lacks a method of the contract',
    code: bell('create: () => ({ rung() {} })'),
    words: /^(bell\/loud cannot start: )?bell\/loud does not implement bell\/1\.0: it lacks ring$/,
  },
  {
    what: 'whose ready throws',
    code: bell(`create: () => ({ ring() {}, ready: async () => { throw new Error('no tower'); } })`),
    words: /^(bell\/loud cannot start: )?no tower$/,
  },
  {
    what: 'with an invalid section',
    code: bell('create: () => ({ ring() {} })'),
    section: { volume: 11 },
    words: /^config\.drivers\["bell\/loud"\]\.volume: there is no such key; there are: none$/,
  },
];

async function kernelWith(
  t: ExecutionContext,
  { manifest: own = manifest, code, section }: Omit<Faulty, 'what' | 'words'>,
  optional: boolean,
) {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-faulty-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const place = async (name: string, gantry: object, text: string): Promise<void> => {
    await mkdir(path.join(directory, name));
    const json = { name, version: '1.0.0', type: 'module', exports: './index.js', gantry };
    await writeFile(path.join(directory, name, 'package.json'), JSON.stringify(json));
    await writeFile(path.join(directory, name, 'index.js'), text);
  };
  await place(
    'good',
    { driver: { id: 'quiet', provides: 'bell/1.0' } },
    bell('create: () => ({ ring() {} })', 'quiet'),
  );
  await place('faulty', own, code);
  const logged: Record<string, unknown>[] = [];
  const kernel = new Kernel({
    from: directory,
    log: pino(
      { level: 'error', serializers: { error: (value) => serializeError(value) } },
      { write: (line: string) => void logged.push(JSON.parse(line)) },
    ),
    config: {
      dataRoot: path.join(directory, 'data'),
      execRoot: path.join(directory, 'run'),
      // Long enough for the packages beside it, on a busy host.
      startTimeoutSeconds: 5,
      stopTimeoutSeconds: 1,
      packages: ['./good', { package: './faulty', optional }],
      ...(section !== undefined && { drivers: { 'bell/loud': section } }),
    },
  });
  t.teardown(() => kernel.stop());
  return { kernel, logged };
}

for (const { what, words, ...faults } of faulty) {
  test(`a package ${what} ends the start with one line`, async (t) => {
    const { kernel } = await kernelWith(t, faults, false);
    const error = await t.throwsAsync(kernel.start());
    t.regex(error?.message ?? '', words);
    t.false(error?.message.includes('\n'));
  });

  test(`an optional package ${what} is left out, and said to be`, async (t) => {
    const { kernel, logged } = await kernelWith(t, faults, true);
    await kernel.start();
    t.true(kernel.statuses().some(({ name, state }) => name === 'bell/quiet' && state === 'ready'));
    t.is(logged.length, 1);
    t.regex(String(logged[0]?.reason), words);
    t.regex(kernel.statuses().find(({ state }) => state === 'failed')?.reason ?? '', words);
  });
}

for (const [what, code, event, words] of [
  ['a stop that throws', `stop: () => Promise.reject(new Error('it rings on'))`, 'unit.stop-failed', /^it rings on$/],
  [
    'a stop that hangs',
    'stop: () => new Promise(() => undefined)',
    'unit.stop-failed',
    /stopping did not finish within 1 s: stop\(\) has not settled$/,
  ],
] as const) {
  test(`${what} is logged, and the others are stopped all the same`, async (t) => {
    const { kernel, logged } = await kernelWith(t, { code: bell(`create: () => ({ ring() {}, ${code} })`) }, true);
    await kernel.start();
    await kernel.stop();
    t.like(logged, [{ event, unit: 'bell/loud' }]);
    t.regex(String((logged[0]?.error as Error | undefined)?.message), words);
  });
}

test('a failed release of a driver is logged', async (t) => {
  const leak = `create: ({ lifetime }) => { lifetime.add(() => { throw new Error('the rope is stuck'); }); return { ring() {} }; }`;
  const { kernel, logged } = await kernelWith(t, { code: bell(leak) }, true);
  await kernel.start();
  await kernel.stop();
  t.like(logged, [
    { event: 'unit.release-failed', unit: 'bell/loud', error: { errors: [{ message: 'the rope is stuck' }] } },
  ]);
});
