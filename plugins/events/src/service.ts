import { type ServicePoint, servicePoint } from '@gantry/core/driver';

/** What other areas may know of the readers of events. */
export interface EventReaders {
  /** Clients that listen now; `info` shows it as NEventsListener. */
  readonly readers: number;
}

export const EventReaders: ServicePoint<EventReaders> = servicePoint<EventReaders>('event-readers');
