import type { ArchiveDriver } from '@gantry/core/contracts';
import { extractChecks } from './archive/extract-checks.js';
import { treeChecks } from './archive/tree-checks.js';
import { defineSuite } from './suite.js';

/** The promises of `contracts/archive.ts`. Needs root, as owners are kept. */
export const archiveDriverSuite = defineSuite<ArchiveDriver>('archive', (suite) => {
  extractChecks(suite);
  treeChecks(suite);
});
