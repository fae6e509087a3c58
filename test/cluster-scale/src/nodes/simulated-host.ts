import { ClusterNetworks } from '@gantry/cluster-networks/service';
import { ContainerLogs, LogSources } from '@gantry/container-logs/service';
import { ContainerControl, ContainerService } from '@gantry/containers/service';
import {
  type LoadBalancerDriver,
  LoadBalancerDrivers,
  type SandboxDriver,
  SandboxDrivers,
} from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { definePlugin } from '@gantry/core/plugin';
import { ImageExchange, ImageService } from '@gantry/images/service';
import { Mounts } from '@gantry/lib-linux/mounts';
import {
  EndpointService,
  NetworkService,
  type SandboxRequest,
  SandboxService,
  SwarmNetworkService,
  type SwarmNode,
} from '@gantry/networks/service';
import { Type } from '@sinclair/typebox';
import type { NodeContainers } from './node-containers.js';

const configSchema = Type.Object({});
const nothing = (): void => undefined;

/**
 * What a node's agent needs of its host, without a host: containers are records, images are always there, and networks
 * do nothing but ask the swarm for their addresses, as real ones do.
 */
export function simulatedHost(containers: NodeContainers) {
  let node: SwarmNode | undefined;
  const open = async ({ attachments, container }: SandboxRequest): Promise<void> => {
    for (const { aliases, networkId } of attachments) {
      await node?.attach({ networkId, containerId: container.id, containerName: container.name, aliases });
    }
  };
  const swarmNetworks: SwarmNetworkService = {
    addNetworks: () => nothing,
    addNode(added) {
      node = added;
      return nothing;
    },
    update: async () => undefined,
  };
  const services = definePlugin({
    id: 'simulated-host',
    provides: [
      ContainerControl,
      ContainerLogs,
      ContainerService,
      ClusterNetworks,
      EndpointService,
      ImageExchange,
      ImageService,
      LogSources,
      Mounts,
      NetworkService,
      SandboxService,
      SwarmNetworkService,
    ],
    configSchema,
    setup({ container: at }) {
      at.registerValue(ContainerControl.token, containers);
      at.registerValue(ContainerService.token, containers as unknown as ContainerService);
      at.registerValue(ContainerLogs.token, {} as ContainerLogs);
      at.registerValue(LogSources.token, {} as LogSources);
      at.registerValue(ClusterNetworks.token, { addUsers: () => nothing } as unknown as ClusterNetworks);
      at.registerValue(EndpointService.token, { endpointsOf: () => [] } as unknown as EndpointService);
      at.registerValue(ImageExchange.token, {} as ImageExchange);
      at.registerValue(ImageService.token, { get: () => ({}) } as unknown as ImageService);
      at.registerValue(Mounts.token, {
        isMountPoint: async () => true,
        unmount: async () => undefined,
      } as unknown as Mounts);
      at.registerValue(NetworkService.token, {} as NetworkService);
      at.registerValue(SandboxService.token, { open, close: async () => undefined } as unknown as SandboxService);
      at.registerValue(SwarmNetworkService.token, swarmNetworks);
      at.provide(ContainerControl, ContainerControl.token);
      at.provide(ContainerService, ContainerService.token);
      at.provide(ContainerLogs, ContainerLogs.token);
      at.provide(LogSources, LogSources.token);
      at.provide(ClusterNetworks, ClusterNetworks.token);
      at.provide(EndpointService, EndpointService.token);
      at.provide(ImageExchange, ImageExchange.token);
      at.provide(ImageService, ImageService.token);
      at.provide(Mounts, Mounts.token);
      at.provide(NetworkService, NetworkService.token);
      at.provide(SandboxService, SandboxService.token);
      at.provide(SwarmNetworkService, SwarmNetworkService.token);
    },
  });
  return [services, simulatedSandboxes, simulatedLoadBalancer(containers)];
}

const sandboxOf = (id: string) => ({ id, path: `/proc/self/ns/net` });

const simulatedSandboxes = defineDriver({
  id: 'simulated',
  provides: SandboxDrivers,
  configSchema,
  create: () =>
    ({
      create: async (id: string) => sandboxOf(id),
      get: async (id: string) => sandboxOf(id),
      list: async () => [],
      remove: async () => undefined,
      openResolver: async () => undefined,
    }) as unknown as SandboxDriver,
});

const simulatedLoadBalancer = (containers: NodeContainers) =>
  defineDriver({
    id: 'simulated',
    provides: LoadBalancerDrivers,
    configSchema,
    create: (): LoadBalancerDriver => ({
      balance: async () => undefined,
      async publish(_mesh, ports) {
        containers.publish(ports);
        return [];
      },
    }),
  });
