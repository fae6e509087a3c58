import { inject, injectable, Logger } from '@gantry/core/driver';
import type { Container } from '../container.js';
import { ContainerEvents } from '../container-events.js';
import { Attachments } from '../streams/attachments.js';
import type { StepTimes } from '../tasks/step-times.js';
import { confirmStart, type StartFacts } from '../transitions.js';

/** Stores that a container runs, and publishes it. */
@injectable()
export class StartConfirmation {
  constructor(
    @inject(Attachments) private readonly attachments: Attachments,
    @inject(ContainerEvents) private readonly events: ContainerEvents,
    @inject(Logger) private readonly log: Logger,
  ) {}

  async confirm(container: Container, facts: StartFacts, times: StepTimes): Promise<void> {
    const announce = () => this.events.publish(container.record, 'start');
    await times.of('store', container.change(confirmStart(facts), announce));
    this.log.debug({ event: 'container.started', container: container.id, ...times.facts() }, 'container started');
    // Clients that attached while it was starting.
    void this.attachments.connectLate(container.record);
  }
}
