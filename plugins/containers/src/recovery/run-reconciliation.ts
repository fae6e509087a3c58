import { inject, injectable } from '@gantry/core/driver';
import type { Container } from '../container.js';
import { isAlive } from '../transitions.js';
import { InterruptedOperations } from './interrupted-operations.js';
import { MissedExits } from './missed-exits.js';
import { RunAdoption } from './run-adoption.js';
import { type FoundTask, isLive } from './task-inventory.js';

type Fate = 'running' | 'exited' | 'starting' | 'removing' | 'idle';

/** Brings the record of one container and its task into agreement. */
@injectable()
export class RunReconciliation {
  constructor(
    @inject(RunAdoption) private readonly adoption: RunAdoption,
    @inject(MissedExits) private readonly missedExits: MissedExits,
    @inject(InterruptedOperations) private readonly interrupted: InterruptedOperations,
  ) {}

  /** What has become of a container since the last daemon. */
  fateOf({ record: { state } }: Container, task: FoundTask | undefined): Fate {
    if (isAlive(state)) return isLive(task) ? 'running' : 'exited';
    return state.status === 'starting' || state.status === 'removing' ? state.status : 'idle';
  }

  async reconcile(container: Container, fate: Fate, task: FoundTask | undefined): Promise<void> {
    if (fate === 'running') await this.adoption.adopt(container, task);
    else if (fate === 'exited') await this.missedExits.handle(container, task);
    else if (fate === 'starting') await this.interrupted.rollBackStart(container);
    else if (fate === 'removing') await this.interrupted.finishRemoval(container);
  }
}
