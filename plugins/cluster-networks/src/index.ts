import { ClusterService, NodeConnections } from '@gantry/cluster/service';
import { Clock, definePlugin } from '@gantry/core/plugin';
import { SwarmNetworkService } from '@gantry/networks/service';
import { Type } from '@sinclair/typebox';
import { ClusterNetworksPlugin } from './cluster-networks-plugin.js';
import { EncryptionKeys } from './encryption-keys.js';
import { LeaderNetworks } from './leader-networks.js';
import { PublishChanges } from './publish-changes.js';
import { RotateEncryptionKeys } from './rotate-encryption-keys.js';
import { ClusterNetworks } from './service.js';
import { StoredNetworks } from './stored-networks.js';

export default definePlugin({
  id: 'cluster-networks',
  provides: [ClusterNetworks],
  requires: [ClusterService, NodeConnections, SwarmNetworkService, Clock],
  configSchema: Type.Object({}, { additionalProperties: false }),
  setup({ container }) {
    container.register(EncryptionKeys, StoredNetworks, LeaderNetworks, PublishChanges);
    container.registerHooks(RotateEncryptionKeys);
    container.provide(ClusterNetworks, StoredNetworks);
    return ClusterNetworksPlugin;
  },
});
