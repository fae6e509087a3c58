import { randomBytes } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { Archive } from '@gantry/archive';
import { crashPoint } from '@gantry/core/contracts';
import { digestOf, type ImageConfiguration, parseImageConfiguration } from '../image-configuration.js';
import type { ImageEvents } from '../image-events.js';
import type { Layers, WantedLayer } from '../layers.js';
import type { ImageStore } from '../store.js';
import { ArchiveFiles } from './archive-files.js';
import type { ArchivedImage, ArchivedLayer } from './archived-image.js';
import { readArchive } from './read-archive.js';

/** What a load tells while it works. */
export interface LoadProgress {
  /** A layer that is not here yet is being extracted: `current` of `total` bytes are read. */
  readonly layer: (name: string, current: number, total: number) => void;
  readonly loaded: (image: { readonly id: string; readonly references: readonly string[] }) => void;
}

/** POST /images/load: brings the images of an archive in. Each image is complete or not there at all. */
export class ImageLoader {
  /** Directories of loads that run. */
  readonly active: Set<string> = new Set();

  constructor(
    private readonly store: ImageStore,
    private readonly layers: Layers,
    private readonly events: ImageEvents,
    private readonly archives: Archive,
    private readonly directory: string,
  ) {}

  async load(
    archive: Readable,
    progress: LoadProgress,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    const directory = path.join(this.directory, `load-${randomBytes(8).toString('hex')}`);
    this.active.add(directory);
    try {
      const files = await this.#spill(archive, directory, options);
      try {
        for (const image of await readArchive(files)) await this.#loadImage(image, progress, options);
      } finally {
        await files.dispose();
      }
    } finally {
      this.active.delete(directory);
    }
  }

  async #spill(
    archive: Readable,
    directory: string,
    options: { readonly signal?: AbortSignal },
  ): Promise<ArchiveFiles> {
    let expanded: Readable;
    try {
      expanded = await this.archives.expand(archive, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      throw error;
    }
    await mkdir(directory, { mode: 0o700 });
    crashPoint('image.load.spilling');
    return ArchiveFiles.spill(expanded, directory, options);
  }

  async #loadImage(
    image: ArchivedImage,
    progress: LoadProgress,
    options: { readonly signal?: AbortSignal },
  ): Promise<void> {
    const staged = await this.layers.stage(
      image.layers.map((layer) => wantedLayer(layer, progress)),
      options,
    );
    try {
      const json =
        image.configurationJson ??
        JSON.stringify(
          this.#configure(
            image,
            staged.layers.map(({ diffId }) => diffId),
          ),
        );
      const id = digestOf(json);
      crashPoint('image.load.record');
      await this.store.exclusive(() =>
        this.store.add({
          layers: staged.fresh,
          image: this.store.byId(id)?.record ?? { id, configurationJson: json, addedAt: new Date().toISOString() },
          references: Object.fromEntries(image.references.map((name) => [name, id])),
        }),
      );
      this.events.publish('load', id, id);
      progress.loaded({ id, references: image.references });
    } finally {
      await staged.release();
    }
  }

  #configure(image: ArchivedImage, diffIds: readonly string[]): ImageConfiguration {
    const configuration = image.configure?.(diffIds);
    return configuration ?? parseImageConfiguration('{"rootfs":{"diff_ids":[]}}');
  }
}

/** A layer of the archive, which tells how far it is while it is extracted. */
function wantedLayer({ diffId, file, name }: ArchivedLayer, progress: LoadProgress): WantedLayer {
  const shown = diffId?.slice('sha256:'.length, 'sha256:'.length + 12) ?? name;
  let size = 0;
  return {
    diffId,
    source: async () => {
      ({ size } = await stat(file));
      progress.layer(shown, 0, size);
      return { file };
    },
    onRead: (total) => progress.layer(shown, Math.min(total, size), size),
    onExtracted: () => progress.layer(shown, size, size),
  };
}
