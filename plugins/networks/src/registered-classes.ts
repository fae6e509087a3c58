import { AddressPools } from './addresses/address-pools.js';
import { HandOverRoles } from './endpoints/hand-over-roles.js';
import { JoinEndpoint } from './endpoints/join-endpoint.js';
import { LeaveEndpoint } from './endpoints/leave-endpoint.js';
import { PrepareEndpoint } from './endpoints/prepare-endpoint.js';
import { PrepareEndpoints } from './endpoints/prepare-endpoints.js';
import { ReleaseAddresses } from './endpoints/release-addresses.js';
import { AttachedContainers } from './networks/attached-containers.js';
import { CreateNetwork } from './networks/create-network.js';
import { DriverOfNetwork } from './networks/driver-of-network.js';
import { EnsurePredefinedNetworks } from './networks/ensure-predefined-networks.js';
import { NetworkEvents } from './networks/network-events.js';
import { RemoveNetwork } from './networks/remove-network.js';
import { SetUpNetwork } from './networks/set-up-network.js';
import { NetworksService } from './networks-service.js';
import { RestoreEndpoints } from './recovery/restore-endpoints.js';
import { RestoreNetworks } from './recovery/restore-networks.js';
import { Resolvers } from './resolver/resolvers.js';
import { NetworkRoutes } from './routes.js';
import { ConnectContainer } from './sandboxes/connect-container.js';
import { DisconnectContainer } from './sandboxes/disconnect-container.js';
import { RenameContainer } from './sandboxes/rename-container.js';
import { SetUpSandbox } from './sandboxes/set-up-sandbox.js';
import { TearDownSandbox } from './sandboxes/tear-down-sandbox.js';
import { NetworkStore } from './store/network-store.js';

/** One shared instance each. */
export const registeredClasses = [
  NetworkStore,
  AddressPools,
  DriverOfNetwork,
  NetworkEvents,
  AttachedContainers,
  SetUpNetwork,
  CreateNetwork,
  RemoveNetwork,
  EnsurePredefinedNetworks,
  Resolvers,
  ReleaseAddresses,
  PrepareEndpoint,
  PrepareEndpoints,
  JoinEndpoint,
  LeaveEndpoint,
  HandOverRoles,
  SetUpSandbox,
  TearDownSandbox,
  ConnectContainer,
  DisconnectContainer,
  RenameContainer,
  RestoreNetworks,
  RestoreEndpoints,
  NetworksService,
  NetworkRoutes,
] as const;
