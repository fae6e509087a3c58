import { inject, injectable } from '@gantry/core/driver';
import { KillContainer } from '../lifecycle/kill-container.js';
import { StartContainer } from '../lifecycle/start-container.js';
import { WaitForContainer } from '../lifecycle/wait-for-container.js';
import type { CreateBody } from '../schema.js';
import { ContainerSnapshots } from './container-snapshots.js';
import type { ContainerSteps, StepJudge, StepOutput, StepStart } from './container-steps.js';
import { StepOutputs } from './step-outputs.js';
import { TemporaryContainers } from './temporary-containers.js';

/** The lifecycle of containers for areas that create images from them. */
@injectable()
export class ContainerStepsService implements ContainerSteps {
  constructor(
    @inject(TemporaryContainers) private readonly containers: TemporaryContainers,
    @inject(StartContainer) private readonly startContainer: StartContainer,
    @inject(WaitForContainer) private readonly waitForContainer: WaitForContainer,
    @inject(KillContainer) private readonly killContainer: KillContainer,
    @inject(ContainerSnapshots) private readonly snapshots: ContainerSnapshots,
    @inject(StepOutputs) private readonly outputs: StepOutputs,
  ) {}

  create(body: CreateBody, name?: string, judge?: StepJudge): Promise<string> {
    return this.containers.create(body, name, judge);
  }

  keep(reference: string): Promise<void> {
    return this.containers.keep(reference);
  }

  start(reference: string, options: StepStart = {}): Promise<void> {
    return this.startContainer.start(reference, options);
  }

  wait(reference: string, options: { readonly signal?: AbortSignal } = {}): Promise<number> {
    return this.waitForContainer.wait(reference, options);
  }

  kill(reference: string): Promise<void> {
    return this.killContainer.kill(reference, undefined);
  }

  output(reference: string): StepOutput {
    return this.outputs.of(reference);
  }

  remove(reference: string): Promise<void> {
    return this.containers.remove(reference);
  }

  layer(...parameters: Parameters<ContainerSteps['layer']>): ReturnType<ContainerSteps['layer']> {
    return this.snapshots.layer(...parameters);
  }

  whilePaused<T>(reference: string, work: () => Promise<T>): Promise<T> {
    return this.snapshots.whilePaused(reference, work);
  }
}
