import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';

const gantryd = fileURLToPath(new URL('../bin/gantryd.js', import.meta.url));

/** Says how many scripts were compiled with recorded code, and how many of those V8 refused. */
const observer = `
const vm = require('node:vm');
const { Script } = vm;
let taken = 0;
let rejected = 0;
vm.Script = class extends Script {
  constructor(source, options) {
    super(source, options);
    if (options?.cachedData !== undefined) this.cachedDataRejected ? rejected++ : taken++;
  }
};
process.on('exit', () => process.stdout.write(JSON.stringify({ taken, rejected })));
`;

test('the bundle is compiled with the code that was recorded for it', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-code-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const config = path.join(directory, 'gantry.json');
  const preload = path.join(directory, 'observer.cjs');
  await writeFile(config, '{}');
  await writeFile(preload, observer);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--require', preload, gantryd, '--config', config, '--validate'],
    { env: { ...process.env, GANTRY_BUNDLE: '' } },
  );
  if (Number(process.versions.node.split('.')[0]) >= 22) return t.pass("Node's own compile cache is used");
  const { taken, rejected } = JSON.parse(stdout.slice(stdout.indexOf('{')));
  t.true(taken > 50);
  t.is(rejected, 0);
});
