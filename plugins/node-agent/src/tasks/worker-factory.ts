import { Clock, inject, injectable, Logger } from '@gantry/core/driver';
import { EndpointService } from '@gantry/networks/service';
import type { AgentSession, TaskStatus } from '@gantry/services/service';
import { StatusReporter } from './status-reporter.js';
import { TaskDriver } from './task-driver.js';
import type { WorkerTools } from './task-worker.js';

/** What the workers of one session share. */
@injectable()
export class WorkerFactory {
  constructor(
    @inject(TaskDriver) private readonly driver: TaskDriver,
    @inject(EndpointService.token) private readonly endpoints: Pick<EndpointService, 'endpointsOf'>,
    @inject(Clock.token) private readonly clock: Clock,
    @inject(Logger) private readonly log: Logger,
  ) {}

  toolsFor(session: AgentSession): { readonly tools: WorkerTools; readonly reporter: StatusReporter } {
    const { clock, driver, log } = this;
    const reporter = new StatusReporter(session, clock, log);
    return { reporter, tools: { session, driver, reporter, clock, log, portsOf: (id) => this.#portsOf(id) } };
  }

  /** The ports that a container publishes on this host. */
  #portsOf(containerId: string): TaskStatus['PortStatus'] {
    const published = this.endpoints
      .endpointsOf(containerId)
      .flatMap(({ ports }) => ports)
      .filter(({ hostIp }) => !hostIp.includes(':'));
    if (published.length === 0) return undefined;
    return {
      Ports: published.map(({ containerPort, hostPort, protocol }) => ({
        Protocol: protocol,
        TargetPort: containerPort,
        PublishedPort: hostPort,
        PublishMode: 'host',
      })),
    };
  }
}
