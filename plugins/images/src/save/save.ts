import { Readable } from 'node:stream';
import type { StorageDriver } from '@gantry/core/contracts';
import { notFound } from '@gantry/core/errors';
import type { ImageEvents } from '../image-events.js';
import type { LayerRecord } from '../image-record.js';
import type { Layers } from '../layers.js';
import type { ImageStore } from '../store.js';
import { ArchiveMembers, type LayerReader, type SavedImage } from './archive-members.js';
import { chooseImages } from './choose-images.js';
import { writeTar } from './write-tar.js';

type Waiting = { readonly signal?: AbortSignal };

/** GET /images/(name)/get and GET /images/get: images as one archive, written while it is read. */
export class ImageSaver {
  constructor(
    private readonly store: ImageStore,
    private readonly layers: Layers,
    private readonly events: ImageEvents,
    private readonly storage: StorageDriver,
  ) {}

  /**
   * The caller owns the stream and destroys it to stop early. What is saved stays until then, also when the images are
   * removed meanwhile. @throws EngineError `not-found` naming what is not there.
   */
  save(names: readonly string[], options: Waiting = {}): Readable {
    const images = chooseImages(this.store, names).map((chosen): SavedImage => {
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
    const letGo = this.layers.hold(images.flatMap(({ image }) => image.chainIds));
    const archive = Readable.from(writeTar(members.of(images)), { objectMode: false, highWaterMark: 2 ** 20 });
    archive.once('close', () => {
      letGo();
      if (images.every(({ image }) => this.store.byId(image.record.id) !== undefined)) return;
      // What was removed meanwhile had waited for this.
      this.layers.collect().catch(() => undefined);
    });
    return archive;
  }

  #reader(options: Waiting): LayerReader {
    const counted = new Map<string, Promise<number>>();
    const open = ({ storageId }: LayerRecord): Promise<Readable> => this.storage.layerTar(storageId, options);
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
