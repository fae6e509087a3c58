import { inject, injectable } from '@gantry/core/driver';
import { CreateContainer } from '../lifecycle/create-container.js';
import { KillContainer } from '../lifecycle/kill-container.js';
import { StartContainer } from '../lifecycle/start-container.js';
import { WaitForContainer } from '../lifecycle/wait-for-container.js';
import { RemoveContainer } from '../removal/remove-container.js';
import type { CreateBody } from '../schema.js';
import { ContainerStore } from '../store/container-store.js';
import { Attachments } from '../streams/attachments.js';
import { ContainerSnapshots } from './container-snapshots.js';
import type { ContainerSteps, StepOutput } from './container-steps.js';

/** The lifecycle of containers for areas that create images from them. */
@injectable()
export class ContainerStepsService implements ContainerSteps {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(CreateContainer) private readonly createContainer: CreateContainer,
    @inject(StartContainer) private readonly startContainer: StartContainer,
    @inject(WaitForContainer) private readonly waitForContainer: WaitForContainer,
    @inject(KillContainer) private readonly killContainer: KillContainer,
    @inject(RemoveContainer) private readonly removeContainer: RemoveContainer,
    @inject(ContainerSnapshots) private readonly snapshots: ContainerSnapshots,
    @inject(Attachments) private readonly attachments: Attachments,
  ) {}

  async create(body: CreateBody, name?: string): Promise<string> {
    return (await this.createContainer.create(body, name, { temporary: true })).id;
  }

  async keep(reference: string): Promise<void> {
    await this.store.get(reference).change(({ temporary: _temporary, ...record }) => record);
  }

  start(reference: string): Promise<void> {
    return this.startContainer.start(reference);
  }

  wait(reference: string, options: { readonly signal?: AbortSignal } = {}): Promise<number> {
    return this.waitForContainer.wait(reference, options);
  }

  kill(reference: string): Promise<void> {
    return this.killContainer.kill(reference, undefined);
  }

  output(reference: string): StepOutput {
    const { record } = this.store.get(reference);
    const client = this.attachments.of(record).join();
    return {
      chunks: client.output,
      leave: () => {
        client.leave();
        this.attachments.dropIdle(record.id);
      },
    };
  }

  remove(reference: string): Promise<void> {
    return this.removeContainer.remove(reference, { force: true, volumes: true });
  }

  layer(...parameters: Parameters<ContainerSteps['layer']>): ReturnType<ContainerSteps['layer']> {
    return this.snapshots.layer(...parameters);
  }

  whilePaused<T>(reference: string, work: () => Promise<T>): Promise<T> {
    return this.snapshots.whilePaused(reference, work);
  }
}
