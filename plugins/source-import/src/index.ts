import { SourceDrivers, StateDrivers } from '@gantry/core/contracts';
import { definePlugin } from '@gantry/core/plugin';
import { HostedAccounts, HostedApi } from '@gantry/hosted-api/service';
import { GitHosting } from '@gantry/lib-git-hosting';
import { ConvertedRepositories } from '@gantry/lib-source';
import { Notifications } from '@gantry/notifications/service';
import { configSchema } from './config.js';
import { CancelImport } from './imports/cancel-import.js';
import { CheckTarget } from './imports/check-target.js';
import { ChooseLfs } from './imports/choose-lfs.js';
import { DeleteRepository } from './imports/delete-repository.js';
import { DiscardImport } from './imports/discard-import.js';
import { FreeSpaceWatch } from './imports/free-space-watch.js';
import { ImportChanges } from './imports/import-changes.js';
import { ImportReferences } from './imports/import-references.js';
import { ImportRunner } from './imports/import-runner.js';
import { MapAuthor } from './imports/map-author.js';
import { RequestRewrite } from './imports/request-rewrite.js';
import { RestartImport } from './imports/restart-import.js';
import { ResumeImports } from './imports/resume-imports.js';
import { RunImport } from './imports/run-import.js';
import { StartImport } from './imports/start-import.js';
import { ImportsLifecycle } from './imports-lifecycle.js';
import { ImportsPage } from './imports-page.js';
import { AuthorRoutes } from './routes/author-routes.js';
import { GitRoutes } from './routes/git-routes.js';
import { ImportAccess } from './routes/import-access.js';
import { ImportEndpoints } from './routes/import-endpoints.js';
import { ImportRoutes } from './routes/import-routes.js';
import { ImportStartRoutes } from './routes/import-start-routes.js';
import { ImportView } from './routes/import-view.js';
import { LargeFileRoutes } from './routes/large-file-routes.js';
import { LfsRoutes } from './routes/lfs-routes.js';
import { OperatorRoutes } from './routes/operator-routes.js';
import { RepositoryAccess } from './routes/repository-access.js';
import { RepositoryRoutes } from './routes/repository-routes.js';
import { UserImportRoutes } from './routes/user-import-routes.js';
import { ImportSettings } from './settings/import-settings.js';
import { DetectSource } from './steps/detect-source.js';
import { FetchSource } from './steps/fetch-source.js';
import { ImportSteps } from './steps/import-steps.js';
import { ListContents } from './steps/list-contents.js';
import { PublishRepository } from './steps/publish-repository.js';
import { PushHistory } from './steps/push-history.js';
import { RewriteHistory } from './steps/rewrite-history.js';
import { SourceAccess } from './steps/source-access.js';
import { HostedRepositories } from './storage/hosted-repositories.js';
import { ImportDirectories } from './storage/import-directories.js';
import { CredentialVault } from './store/credential-vault.js';
import { ImportAuthors } from './store/import-authors.js';
import { ImportListener } from './store/import-listener.js';
import { ImportStore } from './store/import-store.js';
import { ProgressBoard } from './store/progress-board.js';
import { Repositories } from './store/repositories.js';
import { Switches } from './store/switches.js';
import { ImportEvents } from './webhooks/import-events.js';
import { WebhookOutbox } from './webhooks/webhook-outbox.js';
import { ProjectFields } from './wire/project-fields.js';

export default definePlugin({
  id: 'source-import',
  requires: [HostedApi, HostedAccounts, StateDrivers, SourceDrivers, ConvertedRepositories, GitHosting],
  after: [Notifications],
  configSchema,
  async setup({ config, container }) {
    container.registerValue(ImportSettings, await ImportSettings.read(config));
    container.registerClass(ImportListener, ImportEvents);
    container.register(
      CancelImport,
      CheckTarget,
      ChooseLfs,
      DeleteRepository,
      DiscardImport,
      FreeSpaceWatch,
      ImportChanges,
      ImportRunner,
      MapAuthor,
    );
    container.register(RequestRewrite, RestartImport, ResumeImports, RunImport, StartImport);
    container.register(ImportAccess, ImportEndpoints, ImportView, RepositoryAccess);
    container.register(DetectSource, FetchSource, ImportSteps, ListContents, PublishRepository, PushHistory);
    container.register(RewriteHistory, SourceAccess);
    container.register(HostedRepositories, ImportDirectories, ProjectFields);
    container.register(
      CredentialVault,
      ImportAuthors,
      ImportStore,
      ProgressBoard,
      Repositories,
      Switches,
      WebhookOutbox,
    );
    container.registerHooks(
      ImportsLifecycle,
      ImportReferences,
      ImportRoutes,
      ImportStartRoutes,
      AuthorRoutes,
      LargeFileRoutes,
    );
    container.registerHooks(RepositoryRoutes, UserImportRoutes, GitRoutes, LfsRoutes, OperatorRoutes);
    return ImportsPage;
  },
});
