import { ClusterInfo, NodeConnections } from '@gantry/cluster/service';
import { ContainerLogs, LogSources } from '@gantry/container-logs/service';
import { ContainerControl, ContainerService } from '@gantry/containers/service';
import { LoadBalancerDrivers, SandboxDrivers } from '@gantry/core/contracts';
import { Clock, definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { ImageExchange, ImageService } from '@gantry/images/service';
import { Mounts } from '@gantry/lib-linux/mounts';
import { EndpointService, SandboxService, SwarmNetworkService } from '@gantry/networks/service';
import { AgentSessions, TaskDirectory } from '@gantry/services/service';
import { Type } from '@sinclair/typebox';
import { HealthStates } from './containers/health-states.js';
import { TaskContainers } from './containers/task-containers.js';
import { TaskImages } from './containers/task-images.js';
import { TaskFileStore } from './files/task-file-store.js';
import { LogSender } from './logs/log-sender.js';
import { RemoteLogs } from './logs/remote-logs.js';
import { SwarmLogs } from './logs/swarm-logs.js';
import { TaskLogRoutes } from './logs/task-log-routes.js';
import { TaskLogs } from './logs/task-logs.js';
import { ClientAddressCheck } from './mesh/client-address-check.js';
import { RoutingMesh } from './mesh/routing-mesh.js';
import { AgentNetworks } from './networks/agent-networks.js';
import { FollowNetworks } from './networks/follow-networks.js';
import { NodeAgent } from './node-agent.js';
import { NodeAgentPlugin } from './node-agent-plugin.js';
import { RemoveAbandonedTasks } from './tasks/remove-abandoned-tasks.js';
import { TaskDriver } from './tasks/task-driver.js';
import { WorkerFactory } from './tasks/worker-factory.js';

export default definePlugin({
  id: 'node-agent',
  requires: [
    AgentSessions,
    Clock,
    ClusterInfo,
    ContainerControl,
    ContainerLogs,
    ContainerService,
    EndpointService,
    EngineApi,
    ImageExchange,
    ImageService,
    LoadBalancerDrivers,
    LogSources,
    Mounts,
    NodeConnections,
    SandboxDrivers,
    SandboxService,
    SwarmNetworkService,
    TaskDirectory,
  ],
  configSchema: Type.Object({}),
  setup({ container }) {
    container.register(
      HealthStates,
      TaskContainers,
      TaskImages,
      TaskFileStore,
      TaskDriver,
      WorkerFactory,
      RemoveAbandonedTasks,
    );
    container.register(RoutingMesh, NodeAgent, TaskLogs, TaskLogRoutes, RemoteLogs, LogSender, SwarmLogs);
    container.register(AgentNetworks, ClientAddressCheck, FollowNetworks);
    return NodeAgentPlugin;
  },
});
