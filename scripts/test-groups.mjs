import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './setup.mjs';

// docs/adr/0029: loading costs a test file more than its tests do, so those of a group share a process. Titles are unique
// within a group, and nothing is awaited at the top level of its files: AVA refuses both, by name.
const groups = {
  core: ['core/'],
  containers: ['plugins/containers/'],
  services: ['plugins/services/'],
  networks: ['plugins/networks/', 'plugins/cluster-networks/'],
  logs: ['plugins/container-logs/'],
  builds: ['plugins/build/', 'plugins/buildkit/', 'plugins/commit/'],
  cluster: ['plugins/cluster/', 'plugins/node-agent/'],
  hosted: ['plugins/hosted-api/', 'plugins/notifications/', 'plugins/source-import/'],
  plugins: [
    'plugins/api-history/',
    'plugins/audit-log/',
    'plugins/backup/',
    'plugins/container-health/',
    'plugins/container-stats/',
    'plugins/docker-dialect/',
    'plugins/doctor/',
    'plugins/engine-api/',
    'plugins/events/',
    'plugins/exec/',
    'plugins/external-plugins/',
    'plugins/image-policy/',
    'plugins/managed-plugins/',
    'plugins/service-manager/',
    'plugins/starter-image/',
    'plugins/volumes/',
  ],
  libraries: [
    'drivers/ipam-default/dist/first-free-subnet.test.js',
    'drivers/ipam-default/dist/used-addresses.test.js',
    'drivers/lib-archive/',
    'drivers/lib-cluster-store/',
    'drivers/lib-http/',
    'drivers/lib-log/',
    'drivers/lib-network/',
    'drivers/lib-oci/',
    'drivers/lib-plugin-protocol/',
    'drivers/lib-rootless/',
    'gantry-client/',
  ],
  // What of a driver touches nothing of the host.
  drivers: [
    'drivers/cluster-store-etcd/dist/store/',
    'drivers/log-fluentd/dist/fluentd-log.test.js',
    'drivers/log-gelf/dist/gelf-log.test.js',
    'drivers/log-json-file/dist/options/',
    'drivers/log-json-file/dist/read/json-page.test.js',
    'drivers/log-json-file/dist/write/json-line-encoder.test.js',
    'drivers/log-splunk/dist/splunk-log.test.js',
    'drivers/network-bridge/dist/options/',
    'drivers/network-ipvlan/dist/parse-ipvlan-options.test.js',
    'drivers/runtime-runc/dist/cgroups/',
    'drivers/runtime-runc/dist/exec/',
    'drivers/runtime-runc/dist/monitor/',
    'drivers/runtime-runc/dist/runtime/lazy-catalog.test.js',
    'drivers/runtime-runc/dist/runtime/runtime-error.test.js',
    'drivers/runtime-runc/dist/task/',
  ],
  'memory-drivers': ['test/memory-drivers/'],
  api: ['test/api-tests/'],
  architecture: ['test/architecture/'],
  tests: [
    'test/cluster-scale/dist/age/measure/',
    'test/conformance/dist/contract-sentence.test.js',
    'test/conformance/dist/harness.test.js',
    'test/emulated-host/dist/host-table.test.js',
    'test/emulated-host/dist/test-outcome.test.js',
    'test/published-packages/dist/contracts/',
    'test/test-engine/',
  ],
};

/** Of these, what keeps a process of its own: it keeps one busy, measures or changes it, or waits for a deadline. */
const alone = [
  'core/dist/commands/',
  'core/dist/http/connections/',
  'core/dist/kernel/fallbacks.test.js',
  'core/dist/kernel/faulty-packages.test.js',
  'core/dist/kernel/kernel.test.js',
  'core/dist/kernel/live-packages.test.js',
  'core/dist/kernel/loading/',
  'core/dist/kernel/reload.test.js',
  'core/dist/kernel/removed-drivers.test.js',
  'core/dist/limit-regexp-backtracking.test.js',
  'core/dist/main.test.js',
  'core/dist/process/trim-heap.test.js',
  'drivers/lib-archive/dist/repository/',
  'drivers/lib-archive/dist/tar/tar-reader.property.test.js',
  'drivers/lib-plugin-protocol/dist/log/remote-logs.test.js',
  'plugins/build/dist/builder-features.test.js',
  'plugins/build/dist/classic-build.test.js',
  'plugins/build/dist/file/parse-build-file.property.test.js',
  'plugins/build/dist/hostile-contexts.test.js',
  'plugins/buildkit/dist/buildkit.test.js',
  'plugins/buildkit/dist/exports.test.js',
  'plugins/buildkit/dist/kept-state.test.js',
  'plugins/cluster/dist/connections/',
  'plugins/cluster/dist/forwarding/',
  'plugins/cluster/dist/swarm/root-rotation.test.js',
  'plugins/engine-api/dist/disk-watch.test.js',
  'plugins/external-plugins/dist/discovery/plugin-discovery.test.js',
  'plugins/node-agent/dist/logs/task-log-routes.test.js',
  'plugins/node-agent/dist/node-agent.test.js',
  'plugins/node-agent/dist/service-features.test.js',
  'plugins/notifications/dist/webhooks/',
  'plugins/source-import/dist/clients.test.js',
  'plugins/source-import/dist/crash.test.js',
  'plugins/source-import/dist/import-api.test.js',
  'plugins/source-import/dist/real.test.js',
  'plugins/source-import/dist/webhooks/',
  'test/api-tests/dist/bodies.property.test.js',
  'test/api-tests/dist/concurrent-clients.test.js',
  'test/api-tests/dist/hanging.test.js',
  'test/api-tests/dist/python-plugin.test.js',
  'test/api-tests/dist/survival.test.js',
  'test/api-tests/dist/tracing.test.js',
  'test/architecture/dist/project.test.js',
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
  for (const each of [...Object.values(groups).flat(), ...alone]) {
    if (!testFiles.some((path) => path.startsWith(each))) throw new Error(`test-groups.mjs: ${each} has no test file`);
  }
  const isAlone = (path) => alone.some((each) => path.startsWith(each));
  const grouped = new Set();
  const written = Object.entries(groups).map(([name, parts]) => {
    const members = testFiles.filter((path) => !isAlone(path) && parts.some((each) => path.startsWith(each)));
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
