import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { driverCommand } from './driver-command.js';
import { removeReport, writeReport } from './engine-report.js';

const projectRoot = fileURLToPath(new URL('../../../', import.meta.url));
const distribution = { config: { packages: ['./drivers/volume-local'], defaults: {} }, directory: projectRoot };

async function run(...args: string[]): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  return { code: await driverCommand(args, (line) => lines.push(line), distribution), lines };
}

async function packageAt(t: ExecutionContext, code: string): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-driver-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const gantry = { driver: { id: 'loud', provides: 'volume/1.0' } };
  const json = { name: 'loud', version: '1.2.3', type: 'module', exports: './index.js', gantry };
  await writeFile(path.join(directory, 'package.json'), JSON.stringify(json));
  await writeFile(path.join(directory, 'index.js'), code);
  return directory;
}

const volumes = (create: string): string => `
  import { Type } from '${import.meta.resolve('@sinclair/typebox')}';
  import { VolumeDrivers } from '${import.meta.resolve('@gantry/core/contracts')}';
  export default { id: 'loud', provides: VolumeDrivers, configSchema: Type.Object({ key: Type.Optional(Type.String()) }), ${create} };
`;

const methods =
  "capabilities: { scope: 'local', usage: false }, create() {}, remove() {}, get() {}, list: async () => [], mount() {}, unmount() {}";

test('check prints what a package provides and its configuration', async (t) => {
  const directory = await packageAt(t, volumes(`create: () => ({ ${methods} })`));
  t.deepEqual(await run('check', directory), {
    code: 0,
    lines: ['volume/loud: keeps volume/1.0, version 1.2.3', '  configuration: key', 'the package can be loaded'],
  });
});

test('check names what is wrong', async (t) => {
  const directory = await packageAt(t, 'throw new Error("no clapper")');
  await t.throwsAsync(run('check', directory), { message: 'package loud cannot be loaded: no clapper' });
});

test('check names the methods that a driver lacks, without starting it', async (t) => {
  const code = volumes(
    'create: () => ({ capabilities: { scope: "local", usage: true }, list() {}, start() { throw new Error("started"); } })',
  );
  await t.throwsAsync(run('check', await packageAt(t, code)), {
    message:
      'volume/loud does not implement volume/1.0: it lacks create, remove, get, mount, unmount, usage, which capabilities.usage promises',
  });
});

for (const [what, code, reason] of [
  ['another host', 'create: () => { throw new DriverSkipped("no such kernel"); }', 'no such kernel'],
  ['other drivers', 'requires: [VolumeDrivers], create: () => ({})', 'it requires volume/1'],
] as const) {
  test(`check says that methods are not checked where the driver needs ${what}`, async (t) => {
    const imports = `import { DriverSkipped } from '${import.meta.resolve('@gantry/core/errors')}';`;
    const { code: exitCode, lines } = await run('check', await packageAt(t, imports + volumes(code)));
    t.is(exitCode, 0);
    t.true(lines.includes(`  methods: not checked: ${reason}`), lines.join('\n'));
  });
}

test('check fails with what create throws', async (t) => {
  const directory = await packageAt(t, volumes('create: () => { throw new TypeError("no clapper"); }'));
  await t.throwsAsync(run('check', directory), { message: 'no clapper' });
});

test('the verb and its arguments are checked', async (t) => {
  await t.throwsAsync(run('frob'), {
    message: /gantryd driver frob: list, add, replace, remove, check or test is wanted/,
  });
  await t.throwsAsync(run('check'), { message: /the name or path of one package is wanted/ });
  await t.throwsAsync(run('list', '--bogus'), { message: /--bogus/ });
});

test('test runs the conformance kit, and a driver that breaks the contract fails', async (t) => {
  const { code, lines } = await run('test', path.join(projectRoot, 'drivers/log-none'));
  t.is(code, 0, lines.join('\n'));
  t.regex(lines.at(-1) ?? '', /^[1-9]\d* passed, 0 failed$/);
  const lacking = await run(
    'test',
    await packageAt(t, volumes('create: () => ({ capabilities: { scope: "local", usage: true }, list() {} })')),
  );
  t.is(lacking.code, 2);
  t.regex(
    lacking.lines.at(-1) ?? '',
    /does not implement volume\/1\.0: it lacks create, remove, get, mount, unmount, usage, which capabilities\.usage promises$/,
  );
  const broken = await packageAt(t, volumes(`create: () => ({ ${methods} })`));
  const result = await run('test', broken, '--only', 'is listed and found');
  t.is(result.code, 1);
  t.regex(result.lines.at(-1) ?? '', /^\d+ passed, [1-9]\d* failed$/);
});

test('list prints what is configured, with the states of a running daemon', async (t) => {
  const directory = await packageAt(t, volumes('create: () => ({})'));
  const execRoot = path.join(directory, 'run');
  await mkdir(execRoot);
  const file = path.join(directory, 'gantry.json');
  await writeFile(file, JSON.stringify({ execRoot, packages: ['.'], defaults: {} }));
  t.deepEqual((await run('list', '--config', file)).lines, [
    'NAME         STATE        PACKAGE     CAPABILITIES',
    'volume/loud  not running  loud 1.2.3',
  ]);
  const unit = { name: 'volume/loud', package: 'loud', version: '1.2.3', isDefault: true } as const;
  await writeReport(execRoot, [
    { ...unit, state: 'ready', capabilities: { usage: true, scope: 'local', copy: false } },
  ]);
  t.deepEqual((await run('list', '--config', file)).lines, [
    'NAME           STATE  PACKAGE     CAPABILITIES',
    'volume/loud *  ready  loud 1.2.3  usage scope=local',
  ]);
  await removeReport(execRoot);
  t.regex((await run('list', '--config', file)).lines[1] ?? '', /not running/);
});

test('an extra package is one line of the configuration, found beside its file', async (t) => {
  const directory = await packageAt(t, volumes('create: () => ({})'));
  const file = path.join(directory, 'gantry.json');
  await writeFile(file, JSON.stringify({ execRoot: path.join(directory, 'run'), extraPackages: ['.'] }));
  const { lines } = await run('list', '--config', file);
  t.true(lines.some((line) => line.startsWith('volume/loud')));
  t.true(lines.some((line) => line.startsWith('volume/local')));
});
