import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeStaleOutput } from './build-output.mjs';
import { SetupError } from './setup-error.mjs';
import { installSystemPackages } from './system-packages.mjs';
import { systemPath } from './system-path.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Prepares a fresh clone to run: checks Node, installs system and npm packages, builds and bundles. Steps that are up to
 * date are skipped. Takes npm's programs off this process's path. Throws `SetupError` when the user has to act.
 */
export function setup(purpose) {
  process.env.PATH = systemPath();
  checkNode();
  if (process.getuid?.() !== 0 && purpose !== 'start') {
    throw new SetupError(`the tests need root (mounts, namespaces, cgroups): run "sudo npm run ${purpose}"`);
  }
  installSystemPackages(purpose);
  installNpmPackages();
  if (isWritable(root)) build();
  else checkBuild();
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 9)) {
    throw new SetupError(`Node ${process.versions.node} is too old: 20.9 or later is needed`);
  }
}

function installNpmPackages() {
  if (npmPackagesAreCurrent()) return;
  console.log('installing npm packages: as package-lock.json lists them');
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
  run(npm, ['ci', '--loglevel=error'], 'npm ci');
}

/** npm writes what it installed to a hidden lockfile, last of all: an interrupted installation has none. */
function npmPackagesAreCurrent() {
  const installedList = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installedList)) return false;
  const installed = packagesIn(installedList);
  return Object.entries(packagesIn(join(root, 'package-lock.json'))).every(([path, wanted]) => {
    if (path === '' || (wanted.optional && !installed[path])) return true;
    const there = installed[path];
    return there?.version === wanted.version && there?.integrity === wanted.integrity && existsSync(join(root, path));
  });
}

const packagesIn = (lockfile) => JSON.parse(readFileSync(lockfile, 'utf8')).packages;

const steps = [
  { what: 'the build', program: 'node_modules/typescript/bin/tsc', args: ['-b'] },
  { what: 'bundling the console', program: 'scripts/bundle-pages.mjs', args: [] },
  { what: 'bundling the daemon', program: 'scripts/bundle.mjs', args: [] },
];

function build() {
  removeStaleOutput(root);
  for (const { what, program, args } of steps) run([process.execPath, join(root, program)], args, what);
}

/** The checkout of another user: each step ends well where it has nothing to do, and cannot do it otherwise. */
function checkBuild() {
  for (const { program, args } of steps) {
    const { status } = spawnSync(process.execPath, [join(root, program), ...args], { cwd: root, stdio: 'ignore' });
    if (status === 0) continue;
    throw new SetupError(
      `the build of ${root} is not up to date, and this user cannot write there: "npm run build" by its owner is needed`,
    );
  }
}

function isWritable(directory) {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function run([command, ...first], rest, what) {
  const { status, signal, error } = spawnSync(command, [...first, ...rest], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new SetupError(`${what} failed: ${error?.message ?? signal ?? `exit code ${status}`}`);
}
