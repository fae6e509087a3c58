import { inject, injectable } from '@gantry/core/driver';
import type { WorkingStatus } from '../store/import-states.js';
import type { ImportRecord } from '../store/records.js';
import { DetectSource } from './detect-source.js';
import { FetchSource } from './fetch-source.js';
import type { ImportStep } from './import-step.js';
import { PublishRepository } from './publish-repository.js';
import { RewriteHistory } from './rewrite-history.js';

/** The step for each status in which an import works. */
@injectable()
export class ImportSteps {
  readonly #steps: Readonly<Record<WorkingStatus, ImportStep>>;

  constructor(
    @inject(DetectSource) detecting: DetectSource,
    @inject(FetchSource) importing: FetchSource,
    @inject(RewriteHistory) mapping: RewriteHistory,
    @inject(PublishRepository) pushing: PublishRepository,
  ) {
    this.#steps = { detecting, importing, mapping, pushing };
  }

  run(status: WorkingStatus, record: ImportRecord, signal: AbortSignal): Promise<void> {
    return this.#steps[status].run(record, signal);
  }
}
