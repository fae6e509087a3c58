import { systemPath } from '../../scripts/system-path.mjs';

/** For `npm run test:clients`; `npm test` runs the files that end in `.test.js`. */
export default {
  files: ['dist/**/*.test.js', 'dist/**/*.suite.js'],
  workerThreads: false,
  concurrency: 1,
  require: ['reflect-metadata'],
  environmentVariables: { PATH: systemPath() },
  nodeArguments: ['--enable-source-maps'],
  timeout: '5m',
};
