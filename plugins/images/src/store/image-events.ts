import { inject, injectable } from '@gantry/core/driver';
import { EngineEvents } from '@gantry/core/plugin';
import { ImageStore } from './image-store.js';

/** Publishes image events, with the given name as an attribute, and the labels of an image that the store has. */
@injectable()
export class ImageEvents {
  constructor(
    @inject(EngineEvents) private readonly events: EngineEvents,
    @inject(ImageStore) private readonly store: ImageStore,
  ) {}

  publish(action: string, imageId: string, name: string): void {
    const labels = this.store.byId(imageId)?.configuration.config?.Labels;
    this.events.publish({ type: 'image', action, actor: { id: imageId, attributes: { ...labels, name } } });
  }
}
