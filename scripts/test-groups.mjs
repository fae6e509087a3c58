import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './setup.mjs';

// docs/adr/0029: loading costs a test file more than its tests do, so those of a group share a process. Titles are unique
// within a group, and nothing is awaited at the top level of its files: AVA refuses both, by name.
const groups = {
  core: ['core'],
  containers: ['plugins/containers'],
  services: ['plugins/services'],
  networks: ['plugins/networks', 'plugins/cluster-networks'],
  logs: ['plugins/container-logs'],
  plugins: [
    'plugins/api-history',
    'plugins/container-health',
    'plugins/container-stats',
    'plugins/doctor',
    'plugins/events',
    'plugins/exec',
    'plugins/image-policy',
    'plugins/managed-plugins',
    'plugins/service-manager',
    'plugins/starter-image',
    'plugins/volumes',
  ],
  libraries: ['drivers/lib-http', 'drivers/lib-network', 'drivers/lib-oci', 'drivers/lib-plugin-protocol'],
  'memory-drivers': ['test/memory-drivers'],
};

/** Files and folders of these packages that keep processes of their own: they keep one busy, measure or change it. */
const alone = [
  'core/dist/commands/',
  'core/dist/http/connections/',
  'core/dist/kernel/',
  'core/dist/limit-regexp-backtracking.test.js',
  'core/dist/main.test.js',
  'core/dist/process/trim-heap.test.js',
];

const folder = join(root, 'dist');

/**
 * Writes a file for each group, which imports its test files, and returns the paths of all that is to be run.
 *
 * @param patterns those of `ava.config.js`.
 */
export function groupTestFiles(patterns) {
  const testFiles = patterns.flatMap(find);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const each of alone) {
    if (!testFiles.some((path) => path.startsWith(each))) throw new Error(`test-groups.mjs: ${each} has no test file`);
  }
  const isAlone = (path) => alone.some((each) => path.startsWith(each));
  const grouped = new Set();
  const written = Object.entries(groups).map(([name, packages]) => {
    const members = testFiles.filter((path) => !isAlone(path) && packages.some((each) => path.startsWith(`${each}/`)));
    for (const path of members) grouped.add(path);
    const file = join(folder, `${name}.test.js`);
    writeFileSync(file, members.map((path) => `import '../${path}';\n`).join(''));
    return relative(root, file);
  });
  return [...written, ...testFiles.filter((path) => !grouped.has(path))];
}

function find(pattern) {
  const [parent, each] = pattern.replace(/\/dist\/\*\*\/\*\.test\.js$/, '').split('/');
  const packages = each === '*' ? readdirSync(join(root, parent)).map((name) => `${parent}/${name}`) : [parent];
  return packages
    .filter((path) => existsSync(join(root, path, 'dist')))
    .flatMap((path) => readdirSync(join(root, path, 'dist'), { recursive: true }).map((name) => `${path}/dist/${name}`))
    .filter((path) => path.endsWith('.test.js'));
}
