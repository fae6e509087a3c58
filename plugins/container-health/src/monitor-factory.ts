import { ContainerService } from '@gantry/containers/service';
import { Clock, inject, injectable, Logger } from '@gantry/core/driver';
import { HealthMonitor, type MonitoredRun } from './health-monitor.js';
import { ProbeRunner } from './probe-runner.js';

/** Starts to monitor runs. */
@injectable()
export class MonitorFactory {
  constructor(
    @inject(ContainerService.token) private readonly containers: ContainerService,
    @inject(ProbeRunner) private readonly probes: ProbeRunner,
    @inject(Clock.token) private readonly clock: Clock,
    @inject(Logger) private readonly log: Logger,
  ) {}

  start(run: MonitoredRun): HealthMonitor {
    return new HealthMonitor(run, this.containers, this.probes, this.clock, this.log);
  }
}
