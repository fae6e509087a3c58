import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { driverSet, openDriver } from '@gantry/conformance';
import { type EngineEvent, EventBus } from '@gantry/core';
import { ArchiveDrivers, type StateDriver, type StorageDriver } from '@gantry/core/contracts';
import { type DriverSet, silentLogger } from '@gantry/core/driver';
import { archive as archiveDriver, state } from '@gantry/memory-drivers';
import type { ExecutionContext } from 'ava';
import { AddImage } from '../exchange/add-image.js';
import { CreateImage } from '../exchange/create-image.js';
import { ImageExchangeService } from '../exchange/image-exchange-service.js';
import { NameImage } from '../exchange/name-image.js';
import { PullImage } from '../exchange/pull-image.js';
import { ImageHistory } from '../image-history.js';
import { ImagesLifecycle } from '../images-lifecycle.js';
import { ImagesService } from '../images-service.js';
import { ImportImage } from '../import/import-image.js';
import { InspectImage } from '../inspect-image.js';
import { LayerCollector } from '../layers/layer-collector.js';
import { LayerStaging } from '../layers/layer-staging.js';
import { LayersInUse } from '../layers/layers-in-use.js';
import { OrphanedLayers } from '../layers/orphaned-layers.js';
import { ListImages } from '../list-images.js';
import { LoadImages } from '../load/load-images.js';
import { Uploads } from '../load/uploads.js';
import { MeasureImages } from '../measure-images.js';
import { PruneImages } from '../prune-images.js';
import { RegisteredUsers } from '../registered-users.js';
import { RemoveImage } from '../remove-image.js';
import type { ImageRoutes } from '../routes/image-routes.js';
import { SaveImages } from '../save/save-images.js';
import { SharedSizes } from '../shared-sizes.js';
import { ImageEvents } from '../store/image-events.js';
import { ImageStore } from '../store/image-store.js';
import { TagImage } from '../tag-image.js';
import { FakeStorage } from './fake-storage.js';

/** A set of one driver. */
export const setOf = <T>(driver: unknown, defaultId = 'fake'): DriverSet<T> =>
  ({ get: () => driver, defaultId }) as unknown as DriverSet<T>;

/** The classes of the area on an in-memory state driver and a fake storage driver. */
export async function imageHarness(t: ExecutionContext) {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-images-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  let opened = await openDriver(state);
  t.teardown(() => opened.release());
  const storage = new FakeStorage();
  const archive = await openDriver(archiveDriver);
  t.teardown(() => archive.release());
  const archives = driverSet(ArchiveDrivers, { memory: archive.driver });
  const bus = new EventBus();
  const published: EngineEvent[] = [];
  bus.subscribe((event) => published.push(event));

  const open = async () => {
    const storages = setOf<StorageDriver>(storage);
    const store = new ImageStore(setOf<StateDriver>(opened.driver));
    const events = new ImageEvents(bus, store);
    const users = new RegisteredUsers();
    const inUse = new LayersInUse();
    const collector = new LayerCollector(store, inUse, storages, silentLogger);
    const layers = new LayerStaging(store, inUse, collector, storages);
    const uploads = new Uploads({ root: directory, state: directory });
    const importImage = new ImportImage(store, layers, events);
    const exchange = new ImageExchangeService(
      store,
      storages,
      new AddImage(store, layers),
      new CreateImage(store, layers, events),
      new NameImage(store, events),
      new PullImage(),
    );
    const routes = { start: async () => undefined } as unknown as ImageRoutes;
    const lifecycle = new ImagesLifecycle(uploads, collector, new OrphanedLayers(collector, storages), routes, store);
    await lifecycle.start();
    const listImages = new ListImages(store);
    const removeImage = new RemoveImage(store, collector, events, users);
    const measureImages = new MeasureImages(store, listImages, users, new SharedSizes(store));
    return {
      store,
      exchange,
      lifecycle,
      importImage,
      service: new ImagesService(store, inUse, collector, users, importImage, measureImages),
      loadImages: new LoadImages(store, layers, events, archives, uploads),
      saveImages: new SaveImages(store, inUse, collector, events, storages),
      removeImage,
      pruneImages: new PruneImages(store, users, removeImage, bus),
      tagImage: new TagImage(store, events),
      listImages,
      inspectImage: new InspectImage(store, storages),
      imageHistory: new ImageHistory(store),
    };
  };

  let area = await open();
  const harness = {
    directory,
    storage,
    events: published,
    get area() {
      return area;
    },
    /** Loads an archive; resolves to the progress, such as `loaded busybox:latest`. */
    async load(archive: Buffer, signal?: AbortSignal): Promise<readonly string[]> {
      const progress: string[] = [];
      await area.loadImages.load(
        Readable.from([archive]),
        {
          layer: (name, current, total) => progress.push(`layer ${name} ${current}/${total}`),
          loaded: ({ id, references }) => progress.push(`loaded ${references.join(' ') || id}`),
        },
        signal === undefined ? {} : { signal },
      );
      return progress;
    },
    remove: (text: string, options: { force?: boolean; prune?: boolean } = {}) =>
      area.removeImage.remove(text, { force: false, prune: true, ...options }),
    /** Published events, such as `tag busybox:latest`. */
    eventSummaries: () => published.map(({ action, actor }) => `${action} ${actor.attributes.name}`),
    /** Starts the area again on the same storage after a simulated crash. */
    async reopen() {
      opened = await opened.reopen({ crash: true });
      area = await open();
    },
    /** Directories of uploads that still exist. */
    uploads: () => readdir(path.join(directory, 'uploads')),
    /** Counts what is stored. */
    async stored() {
      return {
        images: [...area.store.images()].length,
        references: [...area.store.references()].map(([name]) => name),
        records: [...area.store.layers()].length,
        layers: storage.stored.size,
        uploads: (await harness.uploads()).length,
      };
    },
  };
  return harness;
}

export const nothingStored = { images: 0, references: [], records: 0, layers: 0, uploads: 0 };
