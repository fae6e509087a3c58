import { type DriverLifecycle, inject, injectable } from '@gantry/core/driver';
import { ContainerLogsService } from './container-logs-service.js';

/** The hooks of the service, which has a `start` of its own. */
@injectable()
export class ContainerLogsHooks implements DriverLifecycle {
  constructor(@inject(ContainerLogsService) private readonly logs: ContainerLogsService) {}

  /** Containers continue to write their spools. */
  async stop(): Promise<void> {
    await this.logs.close();
  }

  onIdle(): void {
    this.logs.onIdle();
  }
}
