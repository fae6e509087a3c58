import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { chainIds, digestOf, parseImageConfiguration } from '../configuration/image-configuration.js';
import { LayerStaging } from '../layers/layer-staging.js';
import { normalizeReference } from '../reference/image-reference.js';
import { ImageStore } from '../store/image-store.js';
import type { AddImageRequest } from './image-exchange.js';

/** Adds an image whose configuration document exists already. */
@injectable()
export class AddImage {
  constructor(
    @inject(ImageStore) private readonly store: ImageStore,
    @inject(LayerStaging) private readonly layers: LayerStaging,
  ) {}

  /** Resolves to the image id. On rejection nothing is left. */
  async add(request: AddImageRequest, options: { readonly signal?: AbortSignal } = {}): Promise<string> {
    const diffIds = parseImageConfiguration(request.configuration).rootfs.diff_ids;
    const references = request.references.map(normalizeReference);
    const id = digestOf(request.configuration);
    const opened = new Set<number>();
    const known = chainIds(diffIds);
    const staged = await this.layers.stage(
      diffIds.map((diffId, index) => ({
        diffId,
        source: () => {
          opened.add(index);
          return request.openLayer(index, diffId);
        },
      })),
      { ...options, onLayer: (index) => request.onLayer?.(index, opened.has(index)) },
    );
    try {
      if (staged.layers.length !== known.length)
        throw invalidArgument('the image has layers its document does not name');
      crashPoint('image.add.record');
      await this.store.exclusive(() =>
        this.store.add({
          layers: staged.fresh,
          image: this.store.byId(id)?.record ?? {
            id,
            configurationJson: request.configuration,
            addedAt: new Date().toISOString(),
            ...(request.parent !== undefined &&
              this.store.byId(request.parent) !== undefined && { parent: request.parent }),
          },
          references: Object.fromEntries(references.map((name) => [name, id])),
        }),
      );
      return id;
    } finally {
      await staged.release();
    }
  }
}
