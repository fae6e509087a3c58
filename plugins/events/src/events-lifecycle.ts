import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { EngineEvents } from '@gantry/core/plugin';
import { EventHistory } from './event-history.js';
import { EventRoutes } from './event-routes.js';
import { EventService } from './event-service.js';

/** Opens the history before the first event is recorded, and flushes it when the plugin stops. */
@injectable()
export class EventsLifecycle {
  constructor(
    @inject(EventHistory) private readonly history: EventHistory,
    @inject(EventService) private readonly service: EventService,
    @inject(EventRoutes) private readonly routes: EventRoutes,
    @inject(EngineEvents) private readonly events: EngineEvents,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  async start(): Promise<void> {
    await this.history.start();
    this.lifetime.add(() => this.history.flush());
    this.lifetime.add(this.events.keepPast(() => this.history.newest()));
    this.service.start();
    this.routes.start();
  }
}
