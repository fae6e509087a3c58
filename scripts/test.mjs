import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { avaResults } from './ava-results.mjs';
import { leaksSince, snapshot } from './leak-check.mjs';
import { root, setup } from './setup.mjs';
import { SetupError } from './setup-error.mjs';

/** Each problem counts as one failure, so that the last line alone is the outcome of the run. */
const problems = [];
let counts = { passed: 0, failed: 0, skipped: 0 };

try {
  setup('test');
  await Promise.all([lint(), checkDocs()]);
  const before = snapshot();
  await runTests(process.argv.slice(2));
  for (const leak of await leaksSince(before)) problems.push(`leaked: ${leak}`);
} catch (error) {
  problems.push(error instanceof SetupError ? error.message : error.stack);
}

for (const problem of problems) console.log(`✘ ${problem}`);
const failed = counts.failed + problems.length;
process.exitCode = failed === 0 ? 0 : 1;
if (counts.skipped > 0) console.log(`\n${counts.skipped} skipped`);
console.log(`\n${counts.passed} passed, ${failed} failed`);

/** The rules of the layout and the language. */
async function lint() {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const code = await runProgram(biome, ['check', '--error-on-warnings']);
  if (code !== 0) problems.push('lint: biome check found faults (npm run format fixes the layout)');
}

/** What the public interfaces refer to is public, too, and links in their comments lead somewhere. */
async function checkDocs() {
  const code = await runProgram(join(root, 'scripts/typedoc.mjs'), ['--emit', 'none', '--logLevel', 'Warn']);
  if (code !== 0) problems.push('docs: typedoc found faults in the comments of public interfaces');
}

/** Resolves to the exit code. */
async function runProgram(program, options) {
  const [code] = await once(spawn(process.execPath, [program, ...options], { cwd: root, stdio: 'inherit' }), 'exit');
  return code;
}

async function runTests(args) {
  const ava = join(root, 'node_modules/ava/entrypoints/cli.mjs');
  const color = process.stdout.isTTY ? '--color' : '--no-color';
  const config = args.length === 0 ? ['--config', 'ava.suite.config.js'] : args;
  const runner = spawn(process.execPath, [ava, color, ...config], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => runner.kill(signal));
  const exit = once(runner, 'exit');
  counts = await avaResults(runner.stdout, process.stdout);
  const [code, signal] = await exit;
  if (counts.passed + counts.failed === 0) problems.push('no test ran');
  else if (code !== 0 && counts.failed === 0) {
    problems.push(`the test runner ended with ${signal ?? `exit code ${code}`}`);
  }
}
