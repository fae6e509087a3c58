import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { normalizeReference } from '../reference/image-reference.js';
import { ImageEvents } from '../store/image-events.js';
import { ImageStore } from '../store/image-store.js';

/** Adds names to an image that a build or a pull made. */
@injectable()
export class NameImage {
  constructor(
    @inject(ImageStore) private readonly store: ImageStore,
    @inject(ImageEvents) private readonly events: ImageEvents,
  ) {}

  /** Moves names that another image has; publishes an event for each tag. Rejects `not-found`, `invalid-argument`. */
  async name(id: string, references: readonly string[]): Promise<void> {
    const names = references.map(normalizeReference);
    await this.store.exclusive(async () => {
      if (this.store.byId(id) === undefined) throw notFound(`No such image: ${id}`);
      await this.store.add({ references: Object.fromEntries(names.map((name) => [name, id])) });
    });
    crashPoint('image.name.recorded');
    for (const name of names) if (!name.includes('@')) this.events.publish('tag', id, name);
  }
}
