import type { StorageDriver } from '@gantry/core/contracts';
import { changeChecks } from './storage/changes.js';
import { layerContentChecks } from './storage/layer-content.js';
import { layerChecks } from './storage/layers.js';
import { recoveryChecks } from './storage/recovery.js';
import { writableChecks } from './storage/writables.js';
import { defineSuite } from './suite.js';

/** The promises of `contracts/storage.ts`. */
export const storageDriverSuite = defineSuite<StorageDriver>('storage', (suite) => {
  layerChecks(suite);
  layerContentChecks(suite);
  writableChecks(suite);
  changeChecks(suite);
  recoveryChecks(suite);
});
