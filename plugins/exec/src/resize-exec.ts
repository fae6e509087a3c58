import type { TerminalSize } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { ExecStore } from './exec-store.js';

@injectable()
export class ResizeExec {
  constructor(@inject(ExecStore) private readonly store: ExecStore) {}

  /** Rejects `not-found`, also when it does not run. */
  async resize(id: string, size: TerminalSize): Promise<void> {
    const exec = this.store.get(id);
    // Clients set the size as soon as they have asked for the start.
    if (exec.state.status === 'starting') await exec.state.settled;
    const { state } = exec;
    if (state.status !== 'running') throw notFound(`exec ${id} is not running`);
    // Without a terminal there is no size to set, and clients do not expect an error.
    if (exec.config.tty) await state.process.resize(size);
  }
}
