import { crashPoint } from '@gantry/core/contracts';
import { applyChanges } from './config-changes.js';
import { digestOf, type ImageConfiguration } from './image-configuration.js';
import type { ImageEvents } from './image-events.js';
import type { Layers } from './layers.js';
import { hostArchitecture } from './read-archive.js';
import { formatReference, parseReference } from './reference.js';
import type { ImportRequest } from './service.js';
import type { ImageStore } from './store.js';

/** POST /images/create with fromSrc: makes an image of one layer from a root file system. */
export class ImageImporter {
  constructor(
    private readonly store: ImageStore,
    private readonly layers: Layers,
    private readonly events: ImageEvents,
  ) {}

  /** Resolves to the image id. On rejection nothing is left. */
  async import(request: ImportRequest, options: { readonly signal?: AbortSignal } = {}): Promise<string> {
    const { archive: stream, reference } = request;
    const name = reference === undefined ? undefined : formatReference(parseReference(reference));
    const config = applyChanges({}, request.changes);
    const staged = await this.layers.stage([{ diffId: undefined, source: () => ({ stream }) }], options);
    try {
      const created = new Date().toISOString();
      const configuration: ImageConfiguration = {
        architecture: hostArchitecture(),
        comment: request.comment,
        config,
        created,
        history: [{ created, comment: request.comment }],
        os: 'linux',
        rootfs: { type: 'layers', diff_ids: staged.layers.map(({ diffId }) => diffId) },
      };
      const configurationJson = JSON.stringify(configuration);
      const id = digestOf(configurationJson);
      crashPoint('image.import.record');
      await this.store.add({
        image: { id, configurationJson, addedAt: created },
        layers: staged.fresh,
        references: name === undefined ? {} : { [name]: id },
      });
      if (name !== undefined) this.events.publish('tag', id, name);
      this.events.publish('import', id, id);
      return id;
    } finally {
      await staged.release();
    }
  }
}
