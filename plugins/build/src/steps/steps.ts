import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import type { Keyword } from '../file/instruction.js';
import { ConfigurationSteps } from './configuration-steps.js';
import { CopyStep } from './copy-step.js';
import { RunStep } from './run-step.js';
import type { Step } from './step.js';
import { VolumeStep } from './volume-step.js';
import { WorkingDirectoryStep } from './working-directory-step.js';

/** What executes an instruction, by its keyword. */
@injectable()
export class Steps {
  readonly #steps: Partial<Record<Keyword, Step>>;

  constructor(
    @inject(RunStep) run: RunStep,
    @inject(CopyStep) copy: CopyStep,
    @inject(VolumeStep) volume: VolumeStep,
    @inject(WorkingDirectoryStep) workingDirectory: WorkingDirectoryStep,
    @inject(ConfigurationSteps) private readonly configuration: ConfigurationSteps,
  ) {
    this.#steps = { ADD: copy, COPY: copy, RUN: run, VOLUME: volume, WORKDIR: workingDirectory };
  }

  /** @throws EngineError `invalid-argument` for a keyword that cannot stand in a stage. */
  get(keyword: Keyword): Step {
    const step = this.#steps[keyword] ?? (ConfigurationSteps.keywords.has(keyword) ? this.configuration : undefined);
    if (step === undefined) throw invalidArgument(`${keyword} cannot stand here`);
    return step;
  }
}
