import { kindOf } from '@gantry/core/errors';
import type { StoredImage } from './image-record.js';
import type { ImageImporter } from './import.js';
import type { Layers } from './layers.js';
import type { Image, ImageService, ImageUser, ImageUsers, ImportRequest } from './service.js';
import type { ImageStore } from './store.js';
import { imageSize } from './wire.js';

/** Who uses images: every source that registered, asked as one. */
export class RegisteredUsers implements ImageUsers {
  readonly #sources = new Set<ImageUsers>();

  add(users: ImageUsers): () => void {
    this.#sources.add(users);
    return () => this.#sources.delete(users);
  }

  usersOf(imageId: string): readonly ImageUser[] {
    return [...this.#sources].flatMap((source) => source.usersOf(imageId));
  }
}

/** What other areas get of images. */
export class StoredImages implements ImageService {
  constructor(
    private readonly store: ImageStore,
    private readonly layers: Layers,
    private readonly users: RegisteredUsers,
    private readonly importer: ImageImporter,
  ) {}

  get count(): number {
    return this.store.size;
  }

  get(reference: string): Image {
    return this.#toImage(this.store.resolve(reference));
  }

  byId(id: string): Image | undefined {
    const image = this.store.byId(id);
    return image === undefined ? undefined : this.#toImage(image);
  }

  descendants(reference: string): ReadonlySet<string> {
    const found = new Set<string>();
    const waiting = [this.#idOf(reference)];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      found.add(id);
      waiting.push(...this.store.childrenOf(id).map(({ record }) => record.id));
    }
    return found;
  }

  hold(id: string): () => void {
    return this.layers.hold(this.store.byId(id)?.chainIds ?? []);
  }

  addUsers(users: ImageUsers): () => void {
    return this.users.add(users);
  }

  import(request: ImportRequest, options?: { readonly signal?: AbortSignal }): Promise<string> {
    return this.importer.import(request, options);
  }

  async collect(): Promise<void> {
    await this.layers.collect();
  }

  #idOf(reference: string): string | undefined {
    try {
      return this.store.resolve(reference).record.id;
    } catch (error) {
      if (kindOf(error) !== 'not-found') throw error;
      return undefined;
    }
  }

  #toImage(image: StoredImage): Image {
    const { record, configuration, chainIds } = image;
    const names = this.store.referencesOf(record.id);
    const top = chainIds.at(-1);
    return {
      id: record.id,
      tags: names.filter((name) => !name.includes('@')),
      digests: names.filter((name) => name.includes('@')),
      config: configuration.config ?? {},
      architecture: configuration.architecture,
      os: configuration.os,
      size: imageSize(this.store, image),
      topLayer: top === undefined ? undefined : this.store.layer(top)?.storageId,
    };
  }
}
