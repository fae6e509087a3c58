import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Archive } from '@gantry/archive';
import type { StateDriver, StorageDriver } from '@gantry/core/contracts';
import type { EngineEvents, Logger, Orphan } from '@gantry/core/plugin';
import { ImageCreator } from './create-image.js';
import { ImageEvents } from './image-events.js';
import { StoredImageExchange } from './image-exchange.js';
import { RegisteredUsers, StoredImages } from './image-service.js';
import { ImageImporter } from './import.js';
import { Layers } from './layers.js';
import { ImageLoader } from './load/load.js';
import { findOrphanedLayers, findOrphanedUploads } from './orphans.js';
import { ImageRemover } from './remove.js';
import type { ImageArea } from './routes.js';
import { ImageSaver } from './save/save.js';
import { ImageStore } from './store.js';
import { ImageTagger } from './tag.js';

export interface ImageParts {
  /** A directory of the area's own; what a crash left of uploads in it is removed. */
  readonly directory: string;
  readonly events: EngineEvents;
  readonly log: Logger;
  readonly archives: Archive;
  readonly state: StateDriver;
  readonly storage: StorageDriver;
  /** The storage driver's id, for inspect. */
  readonly storageId: string;
}

export interface OpenImages extends ImageArea {
  readonly service: StoredImages;
  readonly exchange: StoredImageExchange;
  /** For `gantryd check`. */
  findOrphans(): Promise<readonly Orphan[]>;
}

/** Puts the area together, and removes what an earlier daemon left half done. */
export async function openImages(parts: ImageParts): Promise<OpenImages> {
  const uploads = path.join(parts.directory, 'uploads');
  await rm(uploads, { recursive: true, force: true });
  await mkdir(uploads, { recursive: true, mode: 0o700 });
  const store = new ImageStore(parts.state);
  const layers = new Layers(store, parts.storage, parts.log);
  const events = new ImageEvents(parts.events, store);
  const users = new RegisteredUsers();
  const importer = new ImageImporter(store, layers, events);
  const loader = new ImageLoader(store, layers, events, parts.archives, uploads);
  await layers.collect();
  return {
    store,
    service: new StoredImages(store, layers, users, importer),
    exchange: new StoredImageExchange({
      store,
      layers,
      events,
      storage: parts.storage,
      creator: new ImageCreator(store, layers, events),
    }),
    loader,
    findOrphans: async () => [
      ...(await findOrphanedLayers(layers, parts.storage)),
      ...(await findOrphanedUploads(uploads, loader.active)),
    ],
    importer,
    saver: new ImageSaver(store, layers, events, parts.storage),
    remover: new ImageRemover(store, layers, events, users),
    tagger: new ImageTagger(store, events),
    describeStorage: async (topChainId) => {
      const layer = topChainId === undefined ? undefined : store.layer(topChainId);
      const data = layer === undefined ? {} : await parts.storage.describe(layer.storageId, 'layer');
      return { name: parts.storageId, data };
    },
  };
}
