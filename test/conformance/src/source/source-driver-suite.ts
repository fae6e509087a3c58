import type { SourceDriver } from '@gantry/core/contracts';
import { defineSuite } from '../suite.js';
import { importChecks } from './import-checks.js';
import { networkChecks } from './network-checks.js';
import type { SourceSuiteOptions } from './source-suite-options.js';

/** Detection and conversion are checked with repositories of `createSource`. */
export const sourceDriverSuite = defineSuite<SourceDriver, SourceSuiteOptions>('source', (suite) => {
  const { createSource } = suite.options;
  if (createSource !== undefined) importChecks(suite, createSource);
  suite.group(
    { capability: 'http', when: ({ capabilities }) => capabilities.schemes.includes('http:') },
    networkChecks,
  );
});
