import { randomBytes } from 'node:crypto';
import { ContainerProcesses } from '@gantry/containers/service';
import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { ExecEvents } from './exec-events.js';
import type { Exec, ExecConfig } from './exec-record.js';
import { ExecStore } from './exec-store.js';

@injectable()
export class CreateExec {
  constructor(
    @inject(ContainerProcesses.token) private readonly processes: ContainerProcesses,
    @inject(ExecStore) private readonly store: ExecStore,
    @inject(ExecEvents) private readonly events: ExecEvents,
  ) {}

  /** @throws EngineError `not-found`, `conflict` when the container is paused or does not run, `invalid-argument`. */
  create(container: string, config: ExecConfig): Exec {
    if (config.args.length === 0) throw invalidArgument('No exec command specified');
    const { id: containerId } = this.processes.requireRunning(container);
    const id = randomBytes(32).toString('hex');
    const exec: Exec = { id, containerId, config, state: { status: 'created' } };
    this.store.add(exec);
    this.events.created(exec);
    return exec;
  }
}
