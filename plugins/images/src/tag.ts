import { crashPoint } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';
import type { ImageEvents } from './image-events.js';
import { formatReference, parseReference } from './reference.js';
import type { ImageStore } from './store.js';

/** POST /images/(name)/tag. */
export class ImageTagger {
  constructor(
    private readonly store: ImageStore,
    private readonly events: ImageEvents,
  ) {}

  /**
   * Gives an image one more name; a name that another image had moves to this one.
   * Rejects `not-found`, `invalid-argument` for a bad name.
   */
  async tag(image: string, repository: string, tag: string): Promise<void> {
    await this.store.exclusive(() => this.#tag(image, repository, tag));
  }

  async #tag(image: string, repository: string, tag: string): Promise<void> {
    const { id } = this.store.resolve(image).record;
    const reference = parseReference(tag === '' ? repository : `${repository}:${tag}`);
    if (reference.digest !== undefined) {
      throw invalidArgument(`refusing to create a tag with a digest reference: "${repository}"`);
    }
    const name = formatReference(reference);
    await this.store.add({ references: { [name]: id } });
    crashPoint('image.tag.recorded');
    this.events.publish('tag', id, name);
  }
}
