import { type DriverLifecycle, inject, injectable, type ReplacedDriver } from '@gantry/core/driver';
import { ContainerLogsService } from './container-logs-service.js';

/** The hooks of the service, which has a `start` of its own. */
@injectable()
export class ContainerLogsHooks implements DriverLifecycle {
  constructor(@inject(ContainerLogsService) private readonly logs: ContainerLogsService) {}

  /** Containers continue to write their spools. */
  async stop(): Promise<void> {
    await this.logs.close();
  }

  /** Containers continue to write their spools while their sinks are opened anew. */
  async driverReplaced({ name }: ReplacedDriver): Promise<void> {
    const [kind, id = ''] = name.split('/');
    if (kind === 'log') await this.logs.open.reopen(id);
  }

  onIdle(): void {
    this.logs.onIdle();
  }
}
