import { inject, injectable } from '@gantry/core/driver';
import { conflict, notModified } from '@gantry/core/errors';
import { parseDetachKeys } from '@gantry/core/streams';
import { ContainerReview, type Judge } from '../review/container-review.js';
import { ContainerStore } from '../store/container-store.js';
import { ContainerStarter } from '../supervision/container-starter.js';
import { isAlive } from '../transitions.js';

interface StartRequest {
  /** What clients that attach type to leave, unless they name other keys. */
  readonly detachKeys?: string | undefined;
  /** Judges the container as it would run. */
  readonly judge?: Judge;
  /** Variables of this run that are not stored. */
  readonly environment?: readonly string[];
}

/** Spec: POST /containers/(id)/start. */
@injectable()
export class StartContainer {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(ContainerStarter) private readonly starter: ContainerStarter,
    @inject(ContainerReview) private readonly review: ContainerReview,
  ) {}

  /** Durable when it resolves; on rejection nothing runs and nothing is held. */
  async start(reference: string, { detachKeys = '', judge, environment = [] }: StartRequest = {}): Promise<void> {
    parseDetachKeys(detachKeys);
    const container = this.store.get(reference);
    return container.mutex.run(async () => {
      const { state, id } = container.record;
      if (state.status === 'paused') throw conflict('cannot start a paused container, try unpause instead');
      if (isAlive(state) || state.status === 'restarting') throw notModified(`Container ${id} is already started`);
      if (judge !== undefined) await this.review.ofRecord(container.record, judge);
      await this.starter.start(container, { byPolicy: false, detachKeys, environment });
    });
  }
}
