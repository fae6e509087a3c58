import { ClusterInfo, ClusterService, NodeConnections } from '@gantry/cluster/service';
import { NetworkDrivers } from '@gantry/core/contracts';
import { Clock, definePlugin } from '@gantry/core/plugin';
import { SwarmNetworkService } from '@gantry/networks/service';
import { Type } from '@sinclair/typebox';
import { AnnounceNodes } from './announce-nodes.js';
import { ClusterNetworksPlugin } from './cluster-networks-plugin.js';
import { EncryptionKeys } from './encryption-keys.js';
import { LeaderNetworks } from './leader-networks.js';
import { NetworkAllocations } from './network-allocations.js';
import { PublishChanges } from './publish-changes.js';
import { RotateEncryptionKeys } from './rotate-encryption-keys.js';
import { ClusterNetworks } from './service.js';
import { StoredNetworks } from './stored-networks.js';

export default definePlugin({
  id: 'cluster-networks',
  provides: [ClusterNetworks],
  requires: [ClusterInfo, ClusterService, NodeConnections, NetworkDrivers, SwarmNetworkService, Clock],
  configSchema: Type.Object({}, { additionalProperties: false }),
  setup({ container }) {
    container.register(
      EncryptionKeys,
      NetworkAllocations,
      StoredNetworks,
      LeaderNetworks,
      PublishChanges,
      AnnounceNodes,
    );
    container.registerHooks(RotateEncryptionKeys, NetworkAllocations, AnnounceNodes);
    container.provide(ClusterNetworks, StoredNetworks);
    return ClusterNetworksPlugin;
  },
});
