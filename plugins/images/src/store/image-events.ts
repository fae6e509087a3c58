import { inject, injectable } from '@gantry/core/driver';
import { EngineEvents } from '@gantry/core/plugin';
import { ImageStore } from './image-store.js';

/** Publishes image events, with the image's labels and the given name as attributes. */
@injectable()
export class ImageEvents {
  constructor(
    @inject(EngineEvents) private readonly events: EngineEvents,
    @inject(ImageStore) private readonly store: ImageStore,
  ) {}

  /** Pass `labels` for an image that the store no longer has. */
  publish(action: string, imageId: string, name: string, labels = this.labelsOf(imageId)): void {
    this.events.publish({ type: 'image', action, actor: { id: imageId, attributes: { ...labels, name } } });
  }

  labelsOf(imageId: string): Readonly<Record<string, string>> {
    return this.store.byId(imageId)?.configuration.config?.Labels ?? {};
  }
}
