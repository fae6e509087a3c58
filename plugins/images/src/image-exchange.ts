import type { Readable } from 'node:stream';
import { crashPoint, type StorageDriver } from '@gantry/core/contracts';
import { conflict, invalidArgument, notFound, notImplemented } from '@gantry/core/errors';
import type { ImageCreator } from './create-image.js';
import type {
  AddImageRequest,
  CreateImageRequest,
  ImageContent,
  ImageExchange,
  ImageSource,
  MadeImage,
  PullRequest,
} from './exchange.js';
import { chainIds, digestOf, parseImageConfiguration } from './image-configuration.js';
import type { ImageEvents } from './image-events.js';
import type { Layers } from './layers.js';
import { formatReference, parseReference } from './reference.js';
import type { ImageStore } from './store.js';

export interface ExchangeParts {
  readonly store: ImageStore;
  readonly layers: Layers;
  readonly events: ImageEvents;
  readonly storage: StorageDriver;
  readonly creator: ImageCreator;
}

/** What areas get that make images or carry them elsewhere. */
export class StoredImageExchange implements ImageExchange {
  #source: ImageSource | undefined;

  constructor(private readonly parts: ExchangeParts) {}

  async add(request: AddImageRequest, options: { readonly signal?: AbortSignal } = {}): Promise<string> {
    const { store, layers } = this.parts;
    const diffIds = parseImageConfiguration(request.configuration).rootfs.diff_ids;
    const references = namesOf(request.references);
    const id = digestOf(request.configuration);
    const opened = new Set<number>();
    const known = chainIds(diffIds);
    const staged = await layers.stage(
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
      await store.exclusive(() =>
        store.add({
          layers: staged.fresh,
          image: store.byId(id)?.record ?? {
            id,
            configurationJson: request.configuration,
            addedAt: new Date().toISOString(),
            ...(request.parent !== undefined && store.byId(request.parent) !== undefined && { parent: request.parent }),
          },
          references: Object.fromEntries(references.map((name) => [name, id])),
        }),
      );
      return id;
    } finally {
      await staged.release();
    }
  }

  create(request: CreateImageRequest, options?: { readonly signal?: AbortSignal }): Promise<string> {
    return this.parts.creator.create(request, options);
  }

  presentLayers(diffIds: readonly string[]): number {
    const missing = chainIds(diffIds).findIndex((chainId) => this.parts.store.layer(chainId) === undefined);
    return missing < 0 ? diffIds.length : missing;
  }

  content(reference: string): ImageContent {
    const { store } = this.parts;
    const { record, chainIds: chain } = store.resolve(reference);
    return {
      id: record.id,
      configuration: record.configurationJson,
      parent: record.parent,
      references: store.referencesOf(record.id),
      layers: chain.map((chainId) => {
        const layer = store.layer(chainId);
        if (layer === undefined) throw notFound(`layer ${chainId} of image ${record.id} is gone`);
        const { diffId, size, storageId } = layer;
        return { chainId, diffId, size, storageId };
      }),
    };
  }

  openLayer(storageId: string, options?: { readonly signal?: AbortSignal }): Promise<Readable> {
    return this.parts.storage.layerTar(storageId, options);
  }

  tagsOf(repository: string): readonly string[] {
    const names = [...this.parts.store.references()].map(([name]) => parseReference(name));
    return names.flatMap((name) => (name.repository === repository && name.tag !== undefined ? [name.tag] : [])).sort();
  }

  childrenOf(id: string | undefined): readonly MadeImage[] {
    const { store } = this.parts;
    const images =
      id === undefined ? [...store.images()].filter(({ record }) => record.parent === undefined) : store.childrenOf(id);
    return images.map(({ record, configuration }) => ({
      id: record.id,
      config: configuration.config ?? {},
      containerConfig: configuration.container_config,
      created: configuration.created ?? record.addedAt,
    }));
  }

  async name(id: string, references: readonly string[]): Promise<void> {
    const { store, events } = this.parts;
    const names = namesOf(references);
    await store.exclusive(async () => {
      if (store.byId(id) === undefined) throw notFound(`No such image: ${id}`);
      await store.add({ references: Object.fromEntries(names.map((name) => [name, id])) });
    });
    crashPoint('image.name.recorded');
    for (const name of names) if (!name.includes('@')) events.publish('tag', id, name);
  }

  async pull(request: PullRequest, options?: { readonly signal?: AbortSignal }): Promise<string> {
    if (this.#source === undefined) {
      throw notImplemented(
        `pulling ${request.reference} needs a registry client, which this engine has not loaded; load or import the image`,
      );
    }
    return this.#source.pull(request, options);
  }

  setSource(source: ImageSource): () => void {
    if (this.#source !== undefined) throw conflict('images are brought in by another package already');
    this.#source = source;
    return () => {
      if (this.#source === source) this.#source = undefined;
    };
  }
}

const namesOf = (references: readonly string[]): readonly string[] =>
  references.map((text) => formatReference(parseReference(text)));
