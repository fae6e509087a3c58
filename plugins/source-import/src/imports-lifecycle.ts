import { type DriverLifecycle, inject, injectable } from '@gantry/core/driver';
import type { SourceImportConfig } from './config.js';
import { ImportRunner } from './imports/import-runner.js';
import { ResumeImports } from './imports/resume-imports.js';
import { ImportSettings } from './settings/import-settings.js';
import { WebhookOutbox } from './webhooks/webhook-outbox.js';

/** Resumes imports and deliveries when the plugin starts, and interrupts them when it stops. */
@injectable()
export class ImportsLifecycle implements DriverLifecycle<SourceImportConfig> {
  constructor(
    @inject(ResumeImports) private readonly resumeImports: ResumeImports,
    @inject(ImportRunner) private readonly runner: ImportRunner,
    @inject(WebhookOutbox) private readonly outbox: WebhookOutbox,
    @inject(ImportSettings) private readonly settings: ImportSettings,
  ) {}

  start(): Promise<void> {
    return this.resumeImports.resume();
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
