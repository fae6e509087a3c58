import { inject, injectable } from '@gantry/core/driver';
import { ContextOpener } from './context/context-opener.js';
import { StepFiles } from './mounts/step-files.js';

/** What builds of an earlier daemon left. */
@injectable()
export class StaleFiles {
  constructor(
    @inject(ContextOpener) private readonly contexts: ContextOpener,
    @inject(StepFiles) private readonly stepFiles: StepFiles,
  ) {}

  async clear(): Promise<void> {
    await Promise.all([this.contexts.clear(), this.stepFiles.clear()]);
  }
}
