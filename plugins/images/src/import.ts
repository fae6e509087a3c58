import { crashPoint } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';
import { applyChanges } from './config-changes.js';
import { hostArchitecture } from './host-architecture.js';
import { digestOf, type ImageConfiguration } from './image-configuration.js';
import type { ImageEvents } from './image-events.js';
import type { Layers } from './layers.js';
import { formatReference, parseReference } from './reference.js';
import type { ImageConfig, ImportRequest } from './service.js';
import type { ImageStore } from './store.js';

/** What is asked for, before anything is read. */
function checked({ archive, reference, changes }: ImportRequest): { name: string | undefined; config: ImageConfig } {
  try {
    const parsed = reference === undefined ? undefined : parseReference(reference);
    if (parsed?.digest !== undefined) {
      throw invalidArgument(`cannot import to a reference with a digest: "${reference}"`);
    }
    const name = parsed === undefined ? undefined : formatReference(parsed);
    return { name, config: applyChanges({}, changes) };
  } catch (error) {
    archive.destroy();
    throw error;
  }
}

/** POST /images/create with fromSrc: makes an image of one layer from a root file system. */
export class ImageImporter {
  constructor(
    private readonly store: ImageStore,
    private readonly layers: Layers,
    private readonly events: ImageEvents,
  ) {}

  /** Resolves to the image id. On rejection nothing is left. */
  async import(request: ImportRequest, options: { readonly signal?: AbortSignal } = {}): Promise<string> {
    const { archive: stream } = request;
    const { name, config } = checked(request);
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
      await this.store.exclusive(() =>
        this.store.add({
          image: { id, configurationJson, addedAt: created },
          layers: staged.fresh,
          references: name === undefined ? {} : { [name]: id },
        }),
      );
      if (name !== undefined) this.events.publish('tag', id, name);
      this.events.publish('import', id, id);
      return id;
    } finally {
      await staged.release();
    }
  }
}
