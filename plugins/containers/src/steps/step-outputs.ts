import { inject, injectable } from '@gantry/core/driver';
import { ContainerStore } from '../store/container-store.js';
import { Attachments } from '../streams/attachments.js';
import type { StepOutput } from './container-steps.js';

/** The output of containers, for the area that runs them. */
@injectable()
export class StepOutputs {
  constructor(
    @inject(ContainerStore) private readonly store: Pick<ContainerStore, 'get'>,
    @inject(Attachments) private readonly attachments: Attachments,
  ) {}

  of(reference: string): StepOutput {
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
}
