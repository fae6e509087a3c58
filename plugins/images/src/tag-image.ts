import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { formatReference, parseNameAndTag } from './reference/image-reference.js';
import { ImageEvents } from './store/image-events.js';
import { ImageStore } from './store/image-store.js';

/** Spec: POST /images/(name)/tag. */
@injectable()
export class TagImage {
  constructor(
    @inject(ImageStore) private readonly store: ImageStore,
    @inject(ImageEvents) private readonly events: ImageEvents,
  ) {}

  /**
   * Adds a name to an image, moving it from another image that has it.
   * Rejects `not-found`, `invalid-argument` for a bad name.
   */
  async tag(image: string, repository: string, tag: string): Promise<void> {
    await this.store.exclusive(() => this.#tag(image, repository, tag));
  }

  async #tag(image: string, repository: string, tag: string): Promise<void> {
    const { id } = this.store.resolve(image).record;
    const reference = parseNameAndTag(repository, tag);
    if (reference.digest !== undefined) {
      throw invalidArgument(`refusing to create a tag with a digest reference: "${repository}"`);
    }
    const name = formatReference(reference);
    await this.store.add({ references: { [name]: id } });
    crashPoint('image.tag.recorded');
    this.events.publish('tag', id, name);
  }
}
