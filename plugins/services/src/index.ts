import { ClusterService, NodeConnections } from '@gantry/cluster/service';
import { ClusterNetworks } from '@gantry/cluster-networks/service';
import { Clock, definePlugin } from '@gantry/core/plugin';
import { EngineApi } from '@gantry/engine-api/service';
import { NetworkService } from '@gantry/networks/service';
import { RegistryClient } from '@gantry/registry/service';
import { Type } from '@sinclair/typebox';
import { AgentRequests } from './agents/agent-requests.js';
import { AnswerAgents } from './agents/answer-agents.js';
import { AppliedNetworks } from './agents/applied-networks.js';
import { AssignmentFeed } from './agents/assignment-feed.js';
import { DrainTask } from './agents/drain-task.js';
import { LocalSessions } from './agents/local-sessions.js';
import { LocalTraffics } from './agents/local-traffics.js';
import { NetworkFeed } from './agents/network-feed.js';
import { NetworkRequests } from './agents/network-requests.js';
import { NetworkTexts } from './agents/network-texts.js';
import { NodeAgentSessions } from './agents/node-agent-sessions.js';
import { ReportStates } from './agents/report-states.js';
import { TaskCredentials } from './agents/task-credentials.js';
import { TaskFiles } from './agents/task-files.js';
import { CheckReferences } from './commands/check-references.js';
import { CreateService } from './commands/create-service.js';
import { PinImage } from './commands/pin-image.js';
import { RemoveService } from './commands/remove-service.js';
import { ServiceNames } from './commands/service-names.js';
import { StoreService } from './commands/store-service.js';
import { UpdateService } from './commands/update-service.js';
import { CompleteRollback } from './control/complete-rollback.js';
import { FileUsers } from './control/file-users.js';
import { OrchestrationPass } from './control/orchestration-pass.js';
import { Orchestrator } from './control/orchestrator.js';
import { PublishChanges } from './control/publish-changes.js';
import { RecordUsers } from './control/record-users.js';
import { SessionWork } from './control/session-work.js';
import { AddressBook } from './endpoints/address-book.js';
import { Attachments } from './endpoints/attachments.js';
import { NetworkStates } from './endpoints/network-states.js';
import { NetworkUsers } from './endpoints/network-users.js';
import { OrphanedAttachments } from './endpoints/orphaned-attachments.js';
import { KnownTasks } from './known-tasks.js';
import { MeasureServices } from './measure-services.js';
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
  requires: [EngineApi, ClusterService, ClusterNetworks, NodeConnections, NetworkService, RegistryClient, Clock],
  configSchema: Type.Object({}),
  setup({ container }) {
    container.register(AppliedNetworks, DrainTask, NetworkRequests, AnswerAgents, RecordUsers);
    container.register(NetworkStates, NetworkTexts, NetworkFeed, LocalTraffics);
    container.register(AddressBook, Attachments, OrphanedAttachments, NetworkUsers, StoreService);
    container.register(ServiceNames, CheckReferences, PinImage, CreateService, UpdateService, RemoveService);
    container.register(ListServices, InspectService, ListTasks, ServiceRoutes, TaskRoutes, KnownTasks);
    container.register(
      SessionWork,
      PublishChanges,
      FileUsers,
      CompleteRollback,
      OrchestrationPass,
      Orchestrator,
      ReportStates,
      TaskFiles,
    );
    container.register(TaskCredentials, LocalSessions, NodeAgentSessions, AssignmentFeed, AgentRequests);
    container.registerHooks(MeasureServices);
    container.provide(AgentSessions, NodeAgentSessions);
    container.provide(TaskDirectory, KnownTasks);
    return ServicesPlugin;
  },
});
