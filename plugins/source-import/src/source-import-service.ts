import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { HostedApi, readWebPage } from '@gantry/hosted-api/service';
import type { SourceImportConfig } from './config.js';
import { ImportRunner } from './imports/import-runner.js';
import { ResumeImports } from './imports/resume-imports.js';
import { AuthorRoutes } from './routes/author-routes.js';
import { GitRoutes } from './routes/git-routes.js';
import { ImportRoutes } from './routes/import-routes.js';
import { LargeFileRoutes } from './routes/large-file-routes.js';
import { LfsRoutes } from './routes/lfs-routes.js';
import { OperatorRoutes } from './routes/operator-routes.js';
import { RepositoryRoutes } from './routes/repository-routes.js';
import { ImportSettings } from './settings/import-settings.js';
import { WebhookOutbox } from './webhooks/webhook-outbox.js';

/** Starts and stops the plugin. */
@injectable()
export class SourceImportService {
  readonly #routes: readonly { start(): Promise<void> }[];

  constructor(
    @inject(HostedApi.token) private readonly api: HostedApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(ResumeImports) private readonly resumeImports: ResumeImports,
    @inject(ImportRunner) private readonly runner: ImportRunner,
    @inject(WebhookOutbox) private readonly outbox: WebhookOutbox,
    @inject(ImportSettings) private readonly settings: ImportSettings,
    @inject(ImportRoutes) imports: ImportRoutes,
    @inject(AuthorRoutes) authors: AuthorRoutes,
    @inject(LargeFileRoutes) largeFiles: LargeFileRoutes,
    @inject(RepositoryRoutes) repositories: RepositoryRoutes,
    @inject(GitRoutes) git: GitRoutes,
    @inject(LfsRoutes) lfs: LfsRoutes,
    @inject(OperatorRoutes) operator: OperatorRoutes,
  ) {
    this.#routes = [imports, authors, largeFiles, repositories, git, lfs, operator];
  }

  async start(): Promise<void> {
    await this.resumeImports.resume();
    for (const routes of this.#routes) await routes.start();
    const page = { title: 'Imports', name: 'imports', modules: ['view.js'] };
    this.lifetime.add(this.api.addPage('source-import', await readWebPage(new URL('../web/', import.meta.url), page)));
  }

  async ready(): Promise<void> {
    this.runner.open();
    this.outbox.open();
  }

  async reconfigure(config: SourceImportConfig): Promise<void> {
    await this.settings.reload(config);
    this.runner.open();
    this.outbox.flush();
  }

  async stop(): Promise<void> {
    await this.runner.close();
    await this.outbox.close();
  }
}
