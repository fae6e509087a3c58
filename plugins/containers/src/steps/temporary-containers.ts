import { inject, injectable } from '@gantry/core/driver';
import { CreateContainer } from '../lifecycle/create-container.js';
import { RemoveContainer } from '../removal/remove-container.js';
import type { CreateBody } from '../schema.js';
import { ContainerStore } from '../store/container-store.js';
import type { StepJudge } from './container-steps.js';

/** Containers that the operation which creates them removes; if it does not survive, the next daemon does. */
@injectable()
export class TemporaryContainers {
  constructor(
    @inject(ContainerStore) private readonly store: Pick<ContainerStore, 'get'>,
    @inject(CreateContainer) private readonly createContainer: CreateContainer,
    @inject(RemoveContainer) private readonly removeContainer: RemoveContainer,
  ) {}

  async create(body: CreateBody, name?: string, judge?: StepJudge): Promise<string> {
    const options = { temporary: true, ...(judge !== undefined && { judge }) };
    return (await this.createContainer.create(body, name, options)).id;
  }

  /** It is no longer temporary. */
  async keep(reference: string): Promise<void> {
    await this.store.get(reference).change(({ temporary: _temporary, ...record }) => record);
  }

  remove(reference: string): Promise<void> {
    return this.removeContainer.remove(reference, { force: true, volumes: true });
  }
}
