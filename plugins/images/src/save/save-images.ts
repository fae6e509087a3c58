import { Readable } from 'node:stream';
import { type StorageDriver, StorageDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { formatPlatform, isForPlatform, type Platform } from '../configuration/platform.js';
import { LayerCollector } from '../layers/layer-collector.js';
import { LayersInUse } from '../layers/layers-in-use.js';
import { ImageEvents } from '../store/image-events.js';
import type { LayerRecord } from '../store/image-record.js';
import { ImageStore } from '../store/image-store.js';
import { ArchiveMembers, type LayerReader, type SavedImage } from './archive-members.js';
import { type ChosenImage, chooseImages } from './choose-images.js';
import { writeTar } from './write-tar.js';

interface SaveOptions {
  /** Each of the images has to be for it. */
  readonly platform?: Platform | undefined;
  readonly signal?: AbortSignal;
}

/** Images as one archive, written while it is read. Spec: GET /images/(name)/get and GET /images/get. */
@injectable()
export class SaveImages {
  constructor(
    @inject(ImageStore) private readonly store: ImageStore,
    @inject(LayersInUse) private readonly inUse: LayersInUse,
    @inject(LayerCollector) private readonly collector: LayerCollector,
    @inject(ImageEvents) private readonly events: ImageEvents,
    @inject(StorageDrivers.token) private readonly storages: DriverSet<StorageDriver>,
  ) {}

  /**
   * The caller owns the stream and destroys it to stop early. The layers stay until then, even when the images are
   * removed meanwhile. @throws EngineError `not-found` naming the missing image.
   */
  save(names: readonly string[], options: SaveOptions = {}): Readable {
    return this.#archive(chooseImages(this.store, names), options);
  }

  saveAs(
    images: readonly { readonly id: string; readonly tags: readonly string[] }[],
    options: SaveOptions = {},
  ): Readable {
    const chosen = images.map(({ id, tags }) => ({ image: this.store.resolve(id), tags: [...tags].sort() }));
    return this.#archive(chosen, options);
  }

  #archive(chosenImages: readonly ChosenImage[], options: SaveOptions): Readable {
    const images = chosenImages.map((chosen): SavedImage => {
      if (options.platform !== undefined && !isForPlatform(chosen.image.configuration, options.platform)) {
        throw notFound(`no suitable export target found for platform ${formatPlatform(options.platform)}`);
      }
      const layers = chosen.image.chainIds.map((chainId) => {
        const layer = this.store.layer(chainId);
        if (layer === undefined) throw notFound(`layer ${chainId} of image ${chosen.image.record.id} is gone`);
        return layer;
      });
      return { ...chosen, layers };
    });
    const members = new ArchiveMembers(this.#reader(options), ({ image: { record } }) =>
      this.events.publish('save', record.id, record.id),
    );
    const release = this.inUse.hold(images.flatMap(({ image }) => image.chainIds));
    const archive = Readable.from(writeTar(members.of(images)), { objectMode: false, highWaterMark: 2 ** 20 });
    archive.once('close', () => {
      release();
      if (images.every(({ image }) => this.store.byId(image.record.id) !== undefined)) return;
      // Layers of images that were removed meanwhile are still stored.
      this.collector.collect().catch(() => undefined);
    });
    return archive;
  }

  #reader(options: SaveOptions): LayerReader {
    const counted = new Map<string, Promise<number>>();
    const open = ({ storageId }: LayerRecord): Promise<Readable> => this.storages.get().layerTar(storageId, options);
    const count = async (layer: LayerRecord): Promise<number> => {
      let size = 0;
      for await (const piece of await open(layer)) size += (piece as Buffer).length;
      return size;
    };
    return {
      open,
      sizeOf: async (layer) => {
        if (layer.tarSize !== undefined) return layer.tarSize;
        const known = counted.get(layer.storageId) ?? count(layer);
        counted.set(layer.storageId, known);
        return known;
      },
    };
  }
}
