import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { freshDirectory, removeDirectory } from '../directories.js';

const core = fileURLToPath(import.meta.resolve('@gantry/core/driver'));
const contracts = fileURLToPath(import.meta.resolve('@gantry/core/contracts'));
const typebox = fileURLToPath(import.meta.resolve('@sinclair/typebox'));
const command = fileURLToPath(new URL('../../bin/gantry-conformance', import.meta.url));

const run = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [command, ...args]).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
  );

/** A third party's package: a log driver that keeps nothing, as plain JavaScript. */
async function thirdParty(t: ExecutionContext, manifest: unknown, breaks = '', more = '', write = ''): Promise<string> {
  const directory = await freshDirectory();
  t.teardown(() => removeDirectory(directory));
  mkdirSync(join(directory, 'lib'));
  const json = { name: 'x', type: 'module', exports: { '.': { default: './lib/main.js' } }, gantry: manifest };
  writeFileSync(join(directory, 'package.json'), JSON.stringify(json));
  writeFileSync(
    join(directory, 'lib/main.js'),
    `import { defineDriver } from ${JSON.stringify(core)};
     import { LogDrivers } from ${JSON.stringify(contracts)};
     import { Type } from ${JSON.stringify(typebox)};
     export default defineDriver({
       id: 'nowhere', provides: LogDrivers, configSchema: Type.Object({ colour: Type.Optional(Type.String()) }),
       create({ config }) {
         let closed = false;
         return {
           capabilities: { read: false, worker: false, discards: true, colour: config.colour },
           validate() {},
           path: () => ${JSON.stringify(breaks)},
           remove: async () => {},
           ${more}
           open: async () => ({
             dropped: 0,
             async write() { ${write} if (closed) throw Object.assign(new Error(), { [Symbol.for('gantry.engine-error')]: true, kind: 'unavailable' }); },
             resumeAt: async () => undefined,
             async close() { closed = true; },
           }),
         };
       },
     });`,
  );
  return directory;
}

const manifest = { driver: { id: 'nowhere', provides: 'log/1.0' } };

test('prints capabilities and the result of every check, and what was not tested', async (t) => {
  const directory = await thirdParty(t, manifest);
  writeFileSync(join(directory, 'config.json'), '{"colour":"blue"}');
  const { code, stdout } = await run(directory, '--config', join(directory, 'config.json'));
  t.is(code, 0, stdout);
  t.regex(stdout, /log driver "nowhere"\n {2}read +false\n/);
  t.regex(stdout, / {2}colour +blue\n/);
  t.regex(stdout, /✔ log: a sink takes batches and closes twice\n/);
  t.regex(stdout, /- log: one stream can be asked for: not tested: the driver says it has no read\n/);
  t.notRegex(stdout, /✔ log: one stream/);
  t.regex(stdout, /no read, so not tested:/);
  t.regex(stdout, /\d+ passed, 0 failed\n$/);
});

test('a broken promise is a failed check with its reason, and exit code 1', async (t) => {
  const { code, stdout } = await run(await thirdParty(t, manifest, 'relative/path'), '--only', 'path is known');
  t.is(code, 1);
  t.regex(stdout, /✘ log: the path is known before anything is written\n {4}relative\/path\n/);
  t.regex(stdout, /0 passed, 1 failed\n$/);
});

test('a missing part is reported in one line', async (t) => {
  const other = { driver: { id: 'elsewhere', provides: 'log/1.0' } };
  for (const [args, words] of [
    [[await thirdParty(t, undefined)], /names no driver/],
    [[await thirdParty(t, other)], /the manifest says log\/1\.0 "elsewhere", the code log "nowhere"/],
    [[await thirdParty(t, manifest), '--driver', 'volume'], /no volume driver/],
    [['/nonexistent'], /package\.json/],
    [[], /one package is wanted/],
  ] as const) {
    const { code, stdout } = await run(...args);
    t.is(code, 2);
    t.regex(stdout, words);
    t.is(stdout.trimEnd().split('\n').length, 1);
  }
});

test('checks that are not there are no success', async (t) => {
  const { code, stdout } = await run(await thirdParty(t, manifest), '--only', 'no such check');
  t.is(code, 2);
  t.regex(stdout, /no check of log drivers has "no such check" in its title/);
});

test('a method that never settles fails its check, which names it', async (t) => {
  const hangs = 'remove: () => new Promise(() => undefined),';
  const directory = await thirdParty(t, manifest, '', hangs);
  const { code, stdout } = await run(directory, '--only', 'removing', '--check-timeout', '0.5');
  t.is(code, 1, stdout);
  t.regex(stdout, /the check did not finish within 0\.5 s\n/);
  t.regex(stdout, /remove\(.*\) has not settled\n/);
  t.regex(stdout, /the contract says of LogDriver\.remove: /);
});

test('a sink that never settles is referred to, as what the driver gave', async (t) => {
  const directory = await thirdParty(t, manifest, '/log', '', 'await new Promise(() => undefined);');
  const { code, stdout } = await run(directory, '--only', 'takes batches', '--check-timeout', '0.5');
  t.is(code, 1, stdout);
  t.regex(stdout, /all of these have settled, so it is what one of them gave, such as a sink/);
});

test('a driver whose start hangs fails with one line at the deadline', async (t) => {
  const hangs = 'start: () => new Promise((resolve) => setTimeout(resolve, 60_000)),';
  const { code, stdout } = await run(await thirdParty(t, manifest, '', hangs), '--start-timeout', '0.2');
  t.is(code, 2);
  t.regex(stdout, /log\/nowhere: starting did not finish within 0\.2 s: start\(\) has not settled\n$/);
});
