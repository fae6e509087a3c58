import type { Readable } from 'node:stream';
import { type StorageDriver, StorageDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { chainIds } from '../configuration/image-configuration.js';
import type { Platform } from '../configuration/platform.js';
import { tryParseReference } from '../reference/image-reference.js';
import { ImageStore } from '../store/image-store.js';
import { requirePlatform } from '../store/require-platform.js';
import { AddImage } from './add-image.js';
import { CreateImage } from './create-image.js';
import type {
  AddImageRequest,
  CreateImageRequest,
  ImageContent,
  ImageExchange,
  ImageSource,
  ImageSourceSettings,
  MadeImage,
  PullRequest,
} from './image-exchange.js';
import { NameImage } from './name-image.js';
import { PullImage } from './pull-image.js';

/** The service for areas that make images or transfer them. */
@injectable()
export class ImageExchangeService implements ImageExchange {
  constructor(
    @inject(ImageStore) private readonly store: ImageStore,
    @inject(StorageDrivers.token) private readonly storages: DriverSet<StorageDriver>,
    @inject(AddImage) private readonly addImage: AddImage,
    @inject(CreateImage) private readonly createImage: CreateImage,
    @inject(NameImage) private readonly nameImage: NameImage,
    @inject(PullImage) private readonly pullImage: PullImage,
  ) {}

  add(request: AddImageRequest, options?: { readonly signal?: AbortSignal }): Promise<string> {
    return this.addImage.add(request, options);
  }

  create(request: CreateImageRequest, options?: { readonly signal?: AbortSignal }): Promise<string> {
    return this.createImage.create(request, options);
  }

  presentLayers(diffIds: readonly string[]): number {
    const missing = chainIds(diffIds).findIndex((chainId) => this.store.layer(chainId) === undefined);
    return missing < 0 ? diffIds.length : missing;
  }

  content(reference: string, platform?: Platform): ImageContent {
    const image = requirePlatform(this.store.resolve(reference), reference, platform);
    const { record, chainIds: chain } = image;
    return {
      id: record.id,
      configuration: record.configurationJson,
      parent: record.parent,
      references: this.store.referencesOf(record.id),
      layers: chain.map((chainId) => {
        const layer = this.store.layer(chainId);
        if (layer === undefined) throw notFound(`layer ${chainId} of image ${record.id} is gone`);
        const { diffId, size, storageId } = layer;
        return { chainId, diffId, size, storageId };
      }),
    };
  }

  openLayer(storageId: string, options?: { readonly signal?: AbortSignal }): Promise<Readable> {
    return this.storages.get().layerTar(storageId, options);
  }

  tagsOf(repository: string): readonly string[] {
    const names = [...this.store.references()].map(([name]) => tryParseReference(name));
    return names
      .flatMap((name) => (name?.repository === repository && name.tag !== undefined ? [name.tag] : []))
      .sort();
  }

  childrenOf(id: string | undefined): readonly MadeImage[] {
    const images =
      id === undefined
        ? [...this.store.images()].filter(({ record }) => record.parent === undefined)
        : this.store.childrenOf(id).filter(({ record }) => record.hasForeignParent !== true);
    return images.map(({ record, configuration }) => ({
      id: record.id,
      config: configuration.config ?? {},
      containerConfig: configuration.container_config,
      created: configuration.created ?? record.addedAt,
    }));
  }

  name(id: string, references: readonly string[]): Promise<void> {
    return this.nameImage.name(id, references);
  }

  pull(request: PullRequest, options?: { readonly signal?: AbortSignal }): Promise<string> {
    return this.pullImage.pull(request, options);
  }

  setSource(source: ImageSource): () => void {
    return this.pullImage.setSource(source);
  }

  sourceSettings(): ImageSourceSettings | undefined {
    return this.pullImage.settings();
  }
}
