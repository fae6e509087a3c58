import { driverSet } from '@gantry/conformance';
import {
  type IpamDriver,
  IpamDrivers,
  NetworkDrivers,
  type SandboxDriver,
  SandboxDrivers,
  type StateDriver,
  StateDrivers,
} from '@gantry/core/contracts';
import { Lifetime, silentLogger as log } from '@gantry/core/driver';
import type { EngineEvents } from '@gantry/core/plugin';
import { AddressPools } from '../addresses/address-pools.js';
import { AssignRoles } from '../endpoints/assign-roles.js';
import { JoinEndpoint } from '../endpoints/join-endpoint.js';
import { LeaveEndpoint } from '../endpoints/leave-endpoint.js';
import { PrepareEndpoint } from '../endpoints/prepare-endpoint.js';
import { PrepareEndpoints } from '../endpoints/prepare-endpoints.js';
import { ReleaseAddresses } from '../endpoints/release-addresses.js';
import { RemoveEndpoint } from '../endpoints/remove-endpoint.js';
import { AttachedContainers } from '../networks/attached-containers.js';
import { CreateNetwork } from '../networks/create-network.js';
import { DriverOfNetwork } from '../networks/driver-of-network.js';
import { EnsurePredefinedNetworks } from '../networks/ensure-predefined-networks.js';
import { NetworkEvents } from '../networks/network-events.js';
import { NetworkNameLock } from '../networks/network-name-lock.js';
import { RecordConfiguration } from '../networks/record-configuration.js';
import { RemoveNetwork } from '../networks/remove-network.js';
import { SetUpNetwork } from '../networks/set-up-network.js';
import { SwarmNetworkRequests } from '../networks/swarm-network-requests.js';
import { NetworksService } from '../networks-service.js';
import { RestoreEndpoints } from '../recovery/restore-endpoints.js';
import { RestoreNetworks } from '../recovery/restore-networks.js';
import { Resolvers } from '../resolver/resolvers.js';
import { AdjustGateway } from '../sandboxes/adjust-gateway.js';
import { ConnectContainer } from '../sandboxes/connect-container.js';
import { EndpointsService } from '../sandboxes/endpoints-service.js';
import { JoinRunning } from '../sandboxes/join-running.js';
import { OpenEndpoints } from '../sandboxes/open-endpoints.js';
import { PrepareJoin } from '../sandboxes/prepare-join.js';
import { RecordSandbox } from '../sandboxes/record-sandbox.js';
import { ResolverSettings } from '../sandboxes/resolver-settings.js';
import { SandboxesService } from '../sandboxes/sandboxes-service.js';
import { SetUpSandbox } from '../sandboxes/set-up-sandbox.js';
import { TearDownSandbox } from '../sandboxes/tear-down-sandbox.js';
import { NetworkStore } from '../store/network-store.js';
import { SwarmSources } from '../store/swarm-sources.js';
import { GatewayNetwork } from '../swarm/gateway-network.js';
import { JoinedNetworks } from '../swarm/joined-networks.js';
import { OpenSwarmSandbox } from '../swarm/open-swarm-sandbox.js';
import type { FakeNetwork } from './fake-network.js';

interface AreaDrivers {
  readonly state: StateDriver;
  readonly networks: Record<'bridge' | 'host' | 'none', FakeNetwork>;
  readonly ipam: IpamDriver;
  readonly sandbox: SandboxDriver;
  readonly events: EngineEvents;
}

/** Constructs the area on the drivers of a test, as the kernel does, and restores it. */
export async function openArea({ state, networks, ipam, sandbox, events }: AreaDrivers) {
  const lifetime = new Lifetime();
  const drivers = driverSet(NetworkDrivers, networks);
  const sandboxDrivers = driverSet(SandboxDrivers, { memory: sandbox });
  const swarm = new SwarmSources();
  const store = new NetworkStore(driverSet(StateDrivers, { memory: state }), swarm);
  const pools = new AddressPools(driverSet(IpamDrivers, { default: ipam }));
  const driverOf = new DriverOfNetwork(drivers);
  const published = new NetworkEvents(events, store);
  const containers = new AttachedContainers();
  const nameLock = new NetworkNameLock();
  const setUpNetwork = new SetUpNetwork(store, drivers, pools, published, log);
  const recordConfiguration = new RecordConfiguration(store, drivers, published);
  const config = { bridgeSubnet: '10.0.0.0/24', fallbackNameServers: [] };
  const predefined = new EnsurePredefinedNetworks(config, store, drivers, setUpNetwork);
  const resolvers = new Resolvers(store, sandboxDrivers, swarm, log, lifetime);
  const release = new ReleaseAddresses(store, pools, swarm, log);
  const prepare = new PrepareEndpoint(store, driverOf, pools, swarm);
  const join = new JoinEndpoint(store, driverOf);
  const leave = new LeaveEndpoint(store, driverOf, release, log);
  const tearDown = new TearDownSandbox(store, sandboxDrivers, leave, resolvers, published, log);
  const prepareAll = new PrepareEndpoints(driverOf, prepare, release);
  const settings = new ResolverSettings(config);
  const recordSandbox = new RecordSandbox(store, prepareAll, release);
  const openEndpoints = new OpenEndpoints(store, sandboxDrivers, driverOf, join, resolvers, published);
  const prepareJoin = new PrepareJoin(store, driverOf, prepare);
  const assignRoles = new AssignRoles(store, driverOf, sandboxDrivers, join);
  const joinRunning = new JoinRunning(store, driverOf, join, assignRoles, resolvers);
  const removeEndpoint = new RemoveEndpoint(store, leave, assignRoles, published, log);
  const setUp = new SetUpSandbox(store, driverOf, settings, recordSandbox, openEndpoints, tearDown);
  const restoreEndpoints = new RestoreEndpoints(store, drivers, sandboxDrivers, pools, resolvers, log);
  const connect = new ConnectContainer(store, sandboxDrivers, prepareJoin, joinRunning, leave, published);
  const joinedNetworks = new JoinedNetworks(store, drivers, swarm, log);
  const gateway = new GatewayNetwork(store, driverOf, setUpNetwork);
  const openSwarm = new OpenSwarmSandbox(joinedNetworks, gateway, swarm);
  const adjustGateway = new AdjustGateway(store, gateway, connect, removeEndpoint, log);
  const createSwarm = new SwarmNetworkRequests(swarm);
  await new RestoreNetworks(store, pools, predefined, log).restore();
  return {
    store,
    swarm,
    joinedNetworks,
    networks: new NetworksService(store, driverOf, containers),
    sandboxes: new SandboxesService(store, setUp, tearDown, restoreEndpoints, joinedNetworks, openSwarm),
    endpoints: new EndpointsService(store, connect, removeEndpoint, joinedNetworks, adjustGateway, swarm),
    createNetwork: new CreateNetwork(store, drivers, setUpNetwork, recordConfiguration, nameLock, createSwarm),
    removeNetwork: new RemoveNetwork(store, driverOf, pools, containers, published, nameLock),
    close: () => lifetime.release(),
  };
}
