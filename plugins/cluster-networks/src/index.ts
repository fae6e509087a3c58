import { ClusterService, NodeConnections } from '@gantry/cluster/service';
import { definePlugin } from '@gantry/core/plugin';
import { SwarmNetworkService } from '@gantry/networks/service';
import { Type } from '@sinclair/typebox';
import { ClusterNetworksPlugin } from './cluster-networks-plugin.js';
import { LeaderNetworks } from './leader-networks.js';
import { PublishChanges } from './publish-changes.js';
import { ClusterNetworks } from './service.js';
import { StoredNetworks } from './stored-networks.js';

export default definePlugin({
  id: 'cluster-networks',
  provides: [ClusterNetworks],
  requires: [ClusterService, NodeConnections, SwarmNetworkService],
  configSchema: Type.Object({}, { additionalProperties: false }),
  setup({ container }) {
    container.register(StoredNetworks, LeaderNetworks, PublishChanges);
    container.provide(ClusterNetworks, StoredNetworks);
    return ClusterNetworksPlugin;
  },
});
