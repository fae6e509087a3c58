import type { Readable } from 'node:stream';
import { version } from '@gantry/core';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument, notFound } from '@gantry/core/errors';
import { hostArchitecture } from '../configuration/host-architecture.js';
import { digestOf, type ImageConfiguration, type ImageHistory } from '../configuration/image-configuration.js';
import { LayerStaging, type WantedLayer } from '../layers/layer-staging.js';
import { formatReference, parseReference } from '../reference/image-reference.js';
import { ImageEvents } from '../store/image-events.js';
import type { StoredImage } from '../store/image-record.js';
import { ImageStore } from '../store/image-store.js';
import type { CreateImageRequest } from './image-exchange.js';

/** Makes an image on top of another, for commit and build. */
@injectable()
export class CreateImage {
  constructor(
    @inject(ImageStore) private readonly store: ImageStore,
    @inject(LayerStaging) private readonly layers: LayerStaging,
    @inject(ImageEvents) private readonly events: ImageEvents,
  ) {}

  /** Resolves to the image id. On rejection nothing is left. */
  async create(request: CreateImageRequest, options: { readonly signal?: AbortSignal } = {}): Promise<string> {
    const { parent, name } = this.#validate(request);
    const inherited: readonly WantedLayer[] = (parent?.configuration.rootfs.diff_ids ?? []).map((diffId) => ({
      diffId,
      source: undefined,
    }));
    const staged = await this.layers
      .stage([...inherited, ...addedLayer(request.layer)], options)
      .finally(() => request.layer?.destroy());
    try {
      const created = new Date().toISOString();
      const diffIds = staged.layers.map(({ diffId }) => diffId);
      const configurationJson = JSON.stringify(configurationOf(request, parent, created, diffIds));
      const id = digestOf(configurationJson);
      crashPoint('image.create.record');
      await this.store.exclusive(async () => {
        // The parent may have been removed meanwhile; then the new image has none.
        const hasParent = parent === undefined || this.store.byId(parent.record.id) !== undefined;
        await this.store.add({
          image: {
            id,
            configurationJson,
            addedAt: created,
            ...(parent !== undefined && hasParent && { parent: parent.record.id }),
          },
          layers: staged.fresh,
          references: name === undefined ? {} : { [name]: id },
        });
      });
      this.events.publish('create', id, id);
      if (name !== undefined) this.events.publish('tag', id, name);
      return id;
    } finally {
      await staged.release();
    }
  }

  #validate({ parent, reference, layer }: CreateImageRequest) {
    try {
      const found = parent === undefined ? undefined : this.store.byId(parent);
      if (parent !== undefined && found === undefined) throw notFound(`No such image: ${parent}`);
      const parsed = reference === undefined ? undefined : parseReference(reference);
      if (parsed?.digest !== undefined) {
        throw invalidArgument(`refusing to create a tag with a digest reference: "${reference}"`);
      }
      return { parent: found, name: parsed === undefined ? undefined : formatReference(parsed) };
    } catch (error) {
      layer?.destroy();
      throw error;
    }
  }
}

const addedLayer = (stream: Readable | undefined): readonly WantedLayer[] =>
  stream === undefined ? [] : [{ diffId: undefined, source: () => ({ stream, compression: 'none' }) }];

function configurationOf(
  request: CreateImageRequest,
  parent: StoredImage | undefined,
  created: string,
  diffIds: readonly string[],
): ImageConfiguration {
  const { author, comment, config, container, containerConfig, createdBy, layer, step } = request;
  const item: ImageHistory = {
    created,
    ...(createdBy !== undefined && { created_by: createdBy }),
    ...(author !== undefined && author !== '' && { author }),
    ...(comment !== undefined && comment !== '' && { comment }),
    ...(layer === undefined && { empty_layer: true }),
    ...(step !== undefined && { 'gantry.step': step }),
  };
  const isNoted = createdBy !== undefined || layer !== undefined;
  return {
    architecture: parent?.configuration.architecture ?? hostArchitecture(),
    ...(author !== undefined && author !== '' && { author }),
    ...(comment !== undefined && comment !== '' && { comment }),
    config,
    ...(container !== undefined && { container }),
    ...(containerConfig !== undefined && { container_config: containerConfig }),
    created,
    docker_version: version,
    history: [...historyOf(parent), ...(isNoted ? [item] : [])],
    os: parent?.configuration.os ?? 'linux',
    rootfs: { type: 'layers', diff_ids: diffIds },
  };
}

/** The parent's history, with an item for each layer where its document has none, so that items and layers match. */
function historyOf(parent: StoredImage | undefined): readonly ImageHistory[] {
  if (parent === undefined) return [];
  const { history, rootfs, created } = parent.configuration;
  if (history !== undefined && history.length > 0) return history;
  return rootfs.diff_ids.map(() => ({ ...(created !== undefined && { created }) }));
}
