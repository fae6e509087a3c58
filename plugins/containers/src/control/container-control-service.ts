import { inject, injectable } from '@gantry/core/driver';
import { type ErrorKind, kindOf } from '@gantry/core/errors';
import { CreateContainer } from '../lifecycle/create-container.js';
import { StartContainer } from '../lifecycle/start-container.js';
import { StopContainer } from '../lifecycle/stop-container.js';
import { RemoveContainer } from '../removal/remove-container.js';
import type { CreateBody, Mount } from '../schema.js';
import type { ContainerControl } from './container-control.js';

/** The lifecycle of containers, for other areas. */
@injectable()
export class ContainerControlService implements ContainerControl {
  constructor(
    @inject(CreateContainer) private readonly createContainer: CreateContainer,
    @inject(StartContainer) private readonly startContainer: StartContainer,
    @inject(StopContainer) private readonly stopContainer: StopContainer,
    @inject(RemoveContainer) private readonly removeContainer: RemoveContainer,
  ) {}

  async create(body: CreateBody, name: string, files: readonly Mount[]): Promise<string> {
    const newest = { privateIpc: true, recursiveReadOnly: true, namedDefaults: true };
    return (await this.createContainer.create(body, name, { ...newest, hiddenMounts: files })).id;
  }

  start(id: string): Promise<void> {
    return this.startContainer.start(id, {});
  }

  stop(id: string, { seconds }: { readonly seconds: number }): Promise<void> {
    return unless(['not-modified', 'not-found'], this.stopContainer.stop(id, { seconds }));
  }

  remove(id: string): Promise<void> {
    return unless(['not-found'], this.removeContainer.remove(id, { force: true, volumes: true }));
  }
}

/** Resolves also when the operation is rejected as one of these. */
async function unless(kinds: readonly ErrorKind[], operation: Promise<void>): Promise<void> {
  try {
    await operation;
  } catch (error) {
    if (!kinds.includes(kindOf(error))) throw error;
  }
}
