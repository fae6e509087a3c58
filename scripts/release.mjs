// npm run release -- VERSION [--dry-run] [--skip-tests]: checks, raises every version, makes its part of the changelog of the
// files in `changes`, commits and tags it, and publishes the packages. Repeated after an interruption it publishes those that
// are not there yet.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mayBreak, planRelease, publishOrder, readChanges, readManifests } from './release-plan.mjs';

const root = process.cwd();
const contracts = 'test/published-packages/contracts';

function readArguments() {
  const options = { 'dry-run': { type: 'boolean' }, 'skip-tests': { type: 'boolean' } };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [version, ...others] = positionals;
  if (version === undefined || others.length > 0) throw new Error('one version is wanted: npm run release -- 1.2.3');
  return { version, isDryRun: values['dry-run'] === true, skipsTests: values['skip-tests'] === true };
}

/** Whether an earlier run has committed and tagged it, and was interrupted after that. */
const isReleased = (version) =>
  git('tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`) &&
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version === version;

function release(version, { isDryRun, skipsTests }) {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const date = new Date().toISOString().slice(0, 10);
  const changes = readChanges(root);
  const plan = planRelease({ version, date, manifests: readManifests(root), changelog, changes });
  checkContracts(plan.current, version);
  console.log(
    `${plan.current} becomes ${version} in ${plan.files.size} packages; CHANGELOG.md:\n\n${plan.changelog.section}\n`,
  );
  if (!skipsTests) run('npm', ['test']);
  if (isDryRun) return;
  for (const [file, manifest] of plan.files) writeFileSync(join(root, file), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(root, 'CHANGELOG.md'), plan.changelog.text);
  for (const file of changes.keys()) rmSync(join(root, file));
  run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund']);
  git('add', '--all');
  git('commit', '--message', `Release ${version}`, '--message', 'As CHANGELOG.md has it.');
  git('tag', '--annotate', `v${version}`, '--message', `Release ${version}`);
}

/** A version that says that it breaks nothing must not have frozen contracts that do. */
function checkContracts(current, version) {
  const tag = `v${current}`;
  if (mayBreak(current, version) || git('tag', '--list', tag) === '') return;
  const removed = git('diff', '--numstat', tag, 'HEAD', '--', contracts)
    .split('\n')
    .filter((line) => line !== '' && line.split('\t')[1] !== '0');
  if (removed.length === 0) return;
  const files = removed.map((line) => line.split('\t')[2]).join(', ');
  throw new Error(`public contracts changed since ${tag}, in ${files}: ${version} must not break packages`);
}

function publish(version, isDryRun) {
  const order = publishOrder(readManifests(root));
  if (!isDryRun && existsSync(join(root, 'tsconfig.json'))) run('npm', ['run', 'build']);
  for (const { name, folder } of order) {
    if (isDryRun) console.log(`would publish ${name}@${version} from ${folder}`);
    else if (isPublished(name, version)) console.log(`is there: ${name}@${version}`);
    else run('npm', ['publish', '--workspace', name, '--access', 'public', '--ignore-scripts']);
  }
  console.log(isDryRun ? 'nothing was changed' : `released ${version}: now git push --follow-tags`);
}

const isPublished = (name, version) =>
  spawnSync('npm', ['view', `${name}@${version}`, 'version'], { cwd: root, encoding: 'utf8' }).stdout.trim() ===
  version;

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.trim()}`);
  return stdout.trim();
}

function run(program, args) {
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: correct it, and run the release again`);
}

try {
  const { version, isDryRun, skipsTests } = readArguments();
  if (git('status', '--porcelain') !== '') throw new Error('the work tree has changes: commit or stash them first');
  if (!isReleased(version)) release(version, { isDryRun, skipsTests });
  publish(version, isDryRun);
} catch (error) {
  console.error(`release: ${error.message}`);
  process.exitCode = 1;
}
