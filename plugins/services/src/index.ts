import { ClusterService } from '@gantry/cluster/service';
import { Clock, definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { NetworkService } from '@gantry/networks/service';
import { Type } from '@sinclair/typebox';
import { ManagerSessions } from './agents/manager-sessions.js';
import { ReportStates } from './agents/report-states.js';
import { TaskFiles } from './agents/task-files.js';
import { CheckReferences } from './commands/check-references.js';
import { CreateService } from './commands/create-service.js';
import { RemoveService } from './commands/remove-service.js';
import { ServiceNames } from './commands/service-names.js';
import { UpdateService } from './commands/update-service.js';
import { FileUsers } from './control/file-users.js';
import { OrchestrationPass } from './control/orchestration-pass.js';
import { Orchestrator } from './control/orchestrator.js';
import { PublishChanges } from './control/publish-changes.js';
import { SessionWork } from './control/session-work.js';
import { KnownTasks } from './known-tasks.js';
import { InspectService } from './routes/inspect-service.js';
import { ListServices } from './routes/list-services.js';
import { ListTasks } from './routes/list-tasks.js';
import { ServiceRoutes } from './routes/service-routes.js';
import { TaskRoutes } from './routes/task-routes.js';
import { AgentSessions, TaskDirectory } from './service.js';
import { ServicesPlugin } from './services-plugin.js';

export default definePlugin({
  id: 'services',
  provides: [AgentSessions, TaskDirectory],
  requires: [EngineApi, ClusterService, NetworkService, Clock],
  configSchema: Type.Object({}),
  setup({ container }) {
    container.register(ServiceNames, CheckReferences, CreateService, UpdateService, RemoveService);
    container.register(ListServices, InspectService, ListTasks, ServiceRoutes, TaskRoutes, KnownTasks);
    container.register(
      SessionWork,
      PublishChanges,
      FileUsers,
      OrchestrationPass,
      Orchestrator,
      ReportStates,
      TaskFiles,
      ManagerSessions,
    );
    container.provide(AgentSessions, ManagerSessions);
    container.provide(TaskDirectory, KnownTasks);
    return ServicesPlugin;
  },
});
