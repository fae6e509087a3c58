import { inject, injectable } from '@gantry/core/driver';
import type { Context } from '@gantry/core/http';
import { HostedApi } from '@gantry/hosted-api/service';
import { ImportRunner } from '../imports/import-runner.js';
import { ProgressBoard } from '../store/progress-board.js';
import type { ImportRecord, RepositoryRecord } from '../store/records.js';
import { type ImportJson, importJson } from '../wire/import-json.js';
import { ProjectFields } from '../wire/project-fields.js';

/** Shows imports to clients. */
@injectable()
export class ImportView {
  constructor(
    @inject(HostedApi.token) private readonly api: HostedApi,
    @inject(ImportRunner) private readonly runner: ImportRunner,
    @inject(ProgressBoard) private readonly progress: ProgressBoard,
    @inject(ProjectFields) private readonly fields: ProjectFields,
  ) {}

  show<P>(ctx: Context<P>, repository: RepositoryRecord, record: ImportRecord): ImportJson {
    return importJson(record, {
      fields: this.fields,
      repository,
      baseUrl: this.api.baseUrl(ctx),
      progress: this.progress.of(record.id),
      isWaiting: this.runner.isWaiting(record.id),
    });
  }
}
