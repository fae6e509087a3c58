import { injectable } from '@gantry/core/driver';
import type { EventSource } from '../activity.js';
import { defaultSources } from './sources/default-sources.js';

/** The sources that read deliveries: those of this plugin, and those that other plugins add. */
@injectable()
export class EventSources {
  readonly #sources = new Set<EventSource>(defaultSources);

  /** @returns removes the source. */
  add(source: EventSource): () => void {
    this.#sources.add(source);
    return () => this.#sources.delete(source);
  }

  reading(event: string): readonly EventSource[] {
    return [...this.#sources].filter(({ events }) => events.includes(event));
  }
}
