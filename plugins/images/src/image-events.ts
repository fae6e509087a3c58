import type { EngineEvents } from '@gantry/core/plugin';
import type { ImageStore } from './store.js';

/** Image events of the specification, with the image's labels and the given name as attributes. */
export class ImageEvents {
  constructor(
    private readonly events: EngineEvents,
    private readonly store: ImageStore,
  ) {}

  /** `labels` are for an image that is gone from the store. */
  publish(action: string, imageId: string, name: string, labels = this.labelsOf(imageId)): void {
    this.events.publish({ type: 'image', action, actor: { id: imageId, attributes: { ...labels, name } } });
  }

  labelsOf(imageId: string): Readonly<Record<string, string>> {
    return this.store.byId(imageId)?.configuration.config?.Labels ?? {};
  }
}
