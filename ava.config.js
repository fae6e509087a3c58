import { availableParallelism } from 'node:os';
import { systemPath } from './scripts/system-path.mjs';

const longest = [
  'test/emulated-host/',
  'test/host/',
  'test/published-packages/',
  'test/clients/',
  'drivers/runtime-runc/',
];

/** Of a test file in the order of the run. */
function rank(file) {
  const at = longest.findIndex((folder) => file.includes(`/${folder}`));
  return at === -1 ? longest.length : at;
}

export default {
  files: [
    'core/dist/**/*.test.js',
    'gantry/dist/**/*.test.js',
    'gantry-client/dist/**/*.test.js',
    'create-gantry-driver/dist/**/*.test.js',
    'drivers/*/dist/**/*.test.js',
    'plugins/*/dist/**/*.test.js',
    'test/*/dist/**/*.test.js',
    'examples/*/dist/**/*.test.js',
  ],
  // Namespaces, mounts and signals belong to a process: a test file must not share its own with another.
  workerThreads: false,
  // Many tests wait, for containers and for the disk: two more than there are processors keep those busy.
  concurrency: availableParallelism() + 2,
  // Those of whole engines and of emulated hosts take minutes: begun last, they would run while processors idle.
  sortTestFiles: (a, b) => rank(a) - rank(b) || (a < b ? -1 : 1),
  require: ['reflect-metadata'],
  environmentVariables: { PATH: systemPath() },
  // docs/adr/0027: few functions of a test file run for long enough to be worth optimizing.
  nodeArguments: ['--enable-source-maps', '--interrupt-budget=1000000'],
  timeout: '2m',
};
