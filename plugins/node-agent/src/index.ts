import { ContainerLogs, LogSources } from '@gantry/container-logs/service';
import { ContainerControl, ContainerService } from '@gantry/containers/service';
import { Clock, definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { ImageExchange, ImageService } from '@gantry/images/service';
import { Mounts } from '@gantry/lib-linux/mounts';
import { EndpointService } from '@gantry/networks/service';
import { AgentSessions, TaskDirectory } from '@gantry/services/service';
import { Type } from '@sinclair/typebox';
import { HealthStates } from './containers/health-states.js';
import { TaskContainers } from './containers/task-containers.js';
import { TaskImages } from './containers/task-images.js';
import { TaskFileStore } from './files/task-file-store.js';
import { TaskLogRoutes } from './logs/task-log-routes.js';
import { TaskLogs } from './logs/task-logs.js';
import { NodeAgent } from './node-agent.js';
import { NodeAgentPlugin } from './node-agent-plugin.js';
import { IngressPorts } from './ports/ingress-ports.js';
import { PublishedPorts } from './ports/published-ports.js';
import { TaskDriver } from './tasks/task-driver.js';
import { WorkerFactory } from './tasks/worker-factory.js';

export default definePlugin({
  id: 'node-agent',
  requires: [
    AgentSessions,
    Clock,
    ContainerControl,
    ContainerLogs,
    ContainerService,
    EndpointService,
    EngineApi,
    ImageExchange,
    ImageService,
    LogSources,
    Mounts,
    TaskDirectory,
  ],
  configSchema: Type.Object({}),
  setup({ container }) {
    container.register(HealthStates, TaskContainers, TaskImages, TaskFileStore, TaskDriver, WorkerFactory);
    container.register(IngressPorts, PublishedPorts, NodeAgent, TaskLogs, TaskLogRoutes);
    return NodeAgentPlugin;
  },
});
