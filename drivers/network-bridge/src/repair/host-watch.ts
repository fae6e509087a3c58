import { Config, inject, injectable, Lifetime, Logger } from '@gantry/core/driver';
import type { BridgeConfig } from '../config.js';
import { RepairHost } from './repair-host.js';

/** Checks the host periodically. */
@injectable()
export class HostWatch {
  #timer: NodeJS.Timeout | undefined;
  #hasFailed = false;

  constructor(
    @inject(Config) private readonly config: Pick<BridgeConfig, 'checkSeconds'>,
    @inject(RepairHost) private readonly repairHost: RepairHost,
    @inject(Logger) private readonly log: Logger,
    @inject(Lifetime) lifetime: Lifetime,
  ) {
    lifetime.add(() => this.stop());
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#tick(), this.config.checkSeconds * 1000).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** A failure is logged once, until a check succeeds again. */
  #tick(): void {
    try {
      this.repairHost.repair();
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) {
        this.log.error({ event: 'host.check-failed', error }, 'failed to repair the host network');
      }
      this.#hasFailed = true;
    }
  }
}
