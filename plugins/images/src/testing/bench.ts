import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { Archive } from '@gantry/archive';
import { openDriver } from '@gantry/conformance';
import { type EngineEvent, EventBus } from '@gantry/core';
import { silentLogger } from '@gantry/core/driver';
import { state } from '@gantry/memory-drivers';
import type { ExecutionContext } from 'ava';
import { openImages } from '../open-images.js';
import { FakeStorage } from './fake-storage.js';

/** An image area of a test's own, on memory. */
export async function imageBench(t: ExecutionContext) {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-images-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  let store = await openDriver(state);
  t.teardown(() => store.release());
  const storage = new FakeStorage();
  const archives = new Archive();
  t.teardown(() => archives.close());
  const bus = new EventBus();
  const events: EngineEvent[] = [];
  bus.subscribe((event) => events.push(event));
  const open = () =>
    openImages({
      archives,
      directory,
      events: bus,
      log: silentLogger,
      state: store.driver,
      storage: storage as never,
      storageId: 'fake',
    });
  let area = await open();
  const bench = {
    directory,
    storage,
    events,
    get area() {
      return area;
    },
    /** Loads an archive; resolves to what it told, such as `loaded busybox:latest`. */
    async load(archive: Buffer, signal?: AbortSignal): Promise<readonly string[]> {
      const told: string[] = [];
      await area.loader.load(
        Readable.from([archive]),
        {
          layer: (name, current, total) => told.push(`layer ${name} ${current}/${total}`),
          loaded: ({ id, references }) => told.push(`loaded ${references.join(' ') || id}`),
        },
        signal === undefined ? {} : { signal },
      );
      return told;
    },
    remove: (text: string, options: { force?: boolean; prune?: boolean } = {}) =>
      area.remover.remove(text, { force: false, prune: true, ...options }),
    eventSummaries: () => events.map(({ action, actor }) => `${action} ${actor.attributes.name}`),
    /** The next daemon on what the last one left. */
    async reopen() {
      store = await store.reopen({ crash: true });
      area = await open();
    },
    /** Files of uploads that are still there. */
    uploads: () => readdir(path.join(directory, 'uploads')),
    /** What would be left over if no image were there: nothing. */
    async left() {
      return {
        images: [...area.store.images()].length,
        references: [...area.store.references()].map(([name]) => name),
        records: [...area.store.layers()].length,
        layers: storage.stored.size,
        uploads: (await bench.uploads()).length,
      };
    },
  };
  return bench;
}

export const nothingLeft = { images: 0, references: [], records: 0, layers: 0, uploads: 0 };
