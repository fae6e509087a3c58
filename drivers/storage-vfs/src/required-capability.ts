import { type DriverLifecycle, inject, injectable } from '@gantry/core/driver';
import { DriverSkipped } from '@gantry/core/errors';
import { Processes } from '@gantry/lib-linux/processes';

/** Skips the driver without the right to change the root of a thread. */
@injectable()
export class RequiredCapability implements DriverLifecycle {
  constructor(@inject(Processes.token) private readonly processes: Processes) {}

  async start(): Promise<void> {
    if (this.processes.capabilities().has('CAP_SYS_CHROOT')) return;
    throw new DriverSkipped('the vfs driver needs CAP_SYS_CHROOT to keep archives inside their directories');
  }
}
