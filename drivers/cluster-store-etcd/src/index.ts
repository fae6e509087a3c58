import { ClusterStoreDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Launcher } from '@gantry/lib-linux/launcher';
import { configSchema } from './config.js';
import { EtcdClusterStores } from './etcd-cluster-stores.js';

export default defineDriver({
  id: 'etcd',
  provides: ClusterStoreDrivers,
  requires: [Launcher],
  configSchema,
  create: () => EtcdClusterStores,
});
