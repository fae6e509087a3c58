import type { StorageDriver } from '@gantry/core/contracts';
import { changeChecks } from './storage/change-checks.js';
import { layerChecks } from './storage/layer-checks.js';
import { layerContentChecks } from './storage/layer-content-checks.js';
import { recoveryChecks } from './storage/recovery-checks.js';
import { writableChecks } from './storage/writable-checks.js';
import { defineSuite } from './suite.js';

/** The promises of `contracts/storage.ts`. */
export const storageDriverSuite = defineSuite<StorageDriver>('storage', (suite) => {
  layerChecks(suite);
  layerContentChecks(suite);
  writableChecks(suite);
  changeChecks(suite);
  recoveryChecks(suite);
});
