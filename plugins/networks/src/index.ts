import { IpamDrivers, NetworkDrivers, SandboxDrivers, StateDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { AddressPools } from './addresses/address-pools.js';
import { configSchema } from './config.js';
import { AssignRoles } from './endpoints/assign-roles.js';
import { JoinEndpoint } from './endpoints/join-endpoint.js';
import { LeaveEndpoint } from './endpoints/leave-endpoint.js';
import { PrepareEndpoint } from './endpoints/prepare-endpoint.js';
import { PrepareEndpoints } from './endpoints/prepare-endpoints.js';
import { ReleaseAddresses } from './endpoints/release-addresses.js';
import { RemoveEndpoint } from './endpoints/remove-endpoint.js';
import { NetworkViews } from './network-views.js';
import { AttachedContainers } from './networks/attached-containers.js';
import { CreateNetwork } from './networks/create-network.js';
import { DriverOfNetwork } from './networks/driver-of-network.js';
import { EnsurePredefinedNetworks } from './networks/ensure-predefined-networks.js';
import { NetworkEvents } from './networks/network-events.js';
import { NetworkNameLock } from './networks/network-name-lock.js';
import { PruneNetworks } from './networks/prune-networks.js';
import { RecordConfiguration } from './networks/record-configuration.js';
import { RemoveNetwork } from './networks/remove-network.js';
import { SetUpNetwork } from './networks/set-up-network.js';
import { SwarmNetworkRequests } from './networks/swarm-network-requests.js';
import { NetworksPlugin } from './networks-plugin.js';
import { NetworksService } from './networks-service.js';
import { RestoreEndpoints } from './recovery/restore-endpoints.js';
import { RestoreNetworks } from './recovery/restore-networks.js';
import { Resolvers } from './resolver/resolvers.js';
import { NetworkRoutes } from './routes.js';
import { AdjustGateway } from './sandboxes/adjust-gateway.js';
import { ConnectContainer } from './sandboxes/connect-container.js';
import { EndpointsService } from './sandboxes/endpoints-service.js';
import { JoinRunning } from './sandboxes/join-running.js';
import { OpenEndpoints } from './sandboxes/open-endpoints.js';
import { PrepareJoin } from './sandboxes/prepare-join.js';
import { RecordSandbox } from './sandboxes/record-sandbox.js';
import { ResolverSettings } from './sandboxes/resolver-settings.js';
import { SandboxesService } from './sandboxes/sandboxes-service.js';
import { SetUpSandbox } from './sandboxes/set-up-sandbox.js';
import { TearDownSandbox } from './sandboxes/tear-down-sandbox.js';
import { EndpointService, NetworkService, SandboxService, SwarmNetworkService } from './service.js';
import { NetworkStore } from './store/network-store.js';
import { SwarmSources } from './store/swarm-sources.js';
import { GatewayNetwork } from './swarm/gateway-network.js';
import { JoinedNetworks } from './swarm/joined-networks.js';
import { OpenSwarmSandbox } from './swarm/open-swarm-sandbox.js';
import { SwarmNetworkLink } from './swarm/swarm-network-link.js';

export default definePlugin({
  id: 'networks',
  provides: [NetworkService, SandboxService, EndpointService, SwarmNetworkService],
  requires: [EngineApi, StateDrivers, NetworkDrivers, IpamDrivers, SandboxDrivers],
  configSchema,
  setup({ container }) {
    container.register(
      SwarmNetworkLink,
      SwarmSources,
      JoinedNetworks,
      GatewayNetwork,
      OpenSwarmSandbox,
      AdjustGateway,
      SwarmNetworkRequests,
    );
    container.register(NetworkStore, AddressPools, DriverOfNetwork, NetworkEvents, AttachedContainers, Resolvers);
    container.register(
      NetworkNameLock,
      SetUpNetwork,
      CreateNetwork,
      RecordConfiguration,
      PruneNetworks,
      RemoveNetwork,
      EnsurePredefinedNetworks,
    );
    container.register(PrepareEndpoint, PrepareEndpoints, JoinEndpoint, LeaveEndpoint, ReleaseAddresses, AssignRoles);
    container.register(ResolverSettings, RecordSandbox, OpenEndpoints, PrepareJoin, JoinRunning);
    container.register(SetUpSandbox, TearDownSandbox, ConnectContainer, RemoveEndpoint);
    container.register(RestoreNetworks, RestoreEndpoints, NetworkViews, NetworkRoutes);
    container.register(NetworksService, SandboxesService, EndpointsService);
    container.provide(NetworkService, NetworksService);
    container.provide(SandboxService, SandboxesService);
    container.provide(EndpointService, EndpointsService);
    container.provide(SwarmNetworkService, SwarmNetworkLink);
    return NetworksPlugin;
  },
});
