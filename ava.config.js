import { availableParallelism } from 'node:os';
import { systemPath } from './scripts/system-path.mjs';

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
  // Many tests wait, for containers and for the disk: one more than there are processors keeps those busy. With two more the
  // emulated host gets too little of them to end in time.
  concurrency: availableParallelism() + 1,
  require: ['reflect-metadata'],
  environmentVariables: { PATH: systemPath() },
  // docs/adr/0027: few functions of a test file run for long enough to be worth optimizing.
  nodeArguments: ['--enable-source-maps', '--interrupt-budget=1000000'],
  timeout: '2m',
};
