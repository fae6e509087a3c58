import { type ServicePoint, servicePoint } from '@gantry/core/driver';

/** The event streams that clients have open. */
export interface EventReaders {
  /** Number of open streams; `info` reports it as NEventsListener. */
  readonly readers: number;
}

export const EventReaders: ServicePoint<EventReaders> = servicePoint<EventReaders>('event-readers');
