import { ContainerService } from '@gantry/containers/service';
import { inject, injectable } from '@gantry/core/driver';
import { EngineError } from '@gantry/core/errors';
import type { Exec } from './exec-record.js';

/** Publishes what happens to exec instances, as events of their containers. */
@injectable()
export class ExecEvents {
  constructor(@inject(ContainerService.token) private readonly containers: Pick<ContainerService, 'publish'>) {}

  created(exec: Exec): void {
    this.#publishCommand(exec, 'exec_create');
  }

  starting(exec: Exec): void {
    this.#publishCommand(exec, 'exec_start');
  }

  exited(exec: Exec, exitCode: number): void {
    try {
      this.containers.publish(exec.containerId, 'exec_die', { execID: exec.id, exitCode: String(exitCode) });
    } catch (error) {
      // The container was removed while its last exec exited.
      if (!EngineError.is(error)) throw error;
    }
  }

  /** A client has detached by its detach keys. */
  detached(exec: Exec): void {
    this.containers.publish(exec.containerId, 'exec_detach', { execID: exec.id });
  }

  #publishCommand(exec: Exec, action: string): void {
    const [program = '', ...args] = exec.config.args;
    // The space is there without arguments, too: clients compare the whole text.
    this.containers.publish(exec.containerId, `${action}: ${program} ${args.join(' ')}`, { execID: exec.id });
  }
}
