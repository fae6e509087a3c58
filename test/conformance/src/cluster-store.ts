import type { ClusterStoreDriver } from '@gantry/core/contracts';
import { lifecycleChecks } from './cluster-store/lifecycle-checks.js';
import { transactionChecks } from './cluster-store/transaction-checks.js';
import { watchChecks } from './cluster-store/watch-checks.js';
import { defineSuite } from './suite.js';

export const clusterStoreDriverSuite = defineSuite<ClusterStoreDriver>('cluster-store', (suite) => {
  lifecycleChecks(suite);
  transactionChecks(suite);
  watchChecks(suite);
});
