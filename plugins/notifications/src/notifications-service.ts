import { inject, injectable } from '@gantry/core/driver';
import type { Activity, EventSource, NotificationEvent } from './activity.js';
import { PublishEvents } from './publish/publish-events.js';
import type { Notifications, PublishResult } from './service.js';
import { EventSources } from './webhooks/event-sources.js';

@injectable()
export class NotificationsService implements Notifications {
  constructor(
    @inject(PublishEvents) private readonly publishEvents: PublishEvents,
    @inject(EventSources) private readonly sources: EventSources,
  ) {}

  publish(activity: Activity): Promise<PublishResult> {
    return this.publishEvents.publish([{ kind: 'activity', ...activity }]);
  }

  publishAll(
    events: readonly NotificationEvent[],
    once?: string,
  ): Promise<PublishResult & { readonly repeated: boolean }> {
    return this.publishEvents.publish(events, once);
  }

  addSource(source: EventSource): () => void {
    return this.sources.add(source);
  }
}
