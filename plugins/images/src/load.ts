import type { Readable } from 'node:stream';
import { crashPoint } from '@gantry/core/contracts';
import { ArchiveFiles } from './archive-files.js';
import { decompress } from './decompress.js';
import { digestOf, type ImageConfiguration, parseImageConfiguration } from './image-configuration.js';
import type { ImageEvents } from './image-events.js';
import type { Layers } from './layers.js';
import { type ArchivedImage, readArchive } from './read-archive.js';
import type { ImageStore } from './store.js';

/** What a load tells while it works. */
export interface LoadProgress {
  readonly layer: (diffId: string | undefined, index: number, total: number) => void;
  readonly loaded: (image: { readonly id: string; readonly references: readonly string[] }) => void;
}

/** POST /images/load: brings the images of an archive in. Each image is complete or not there at all. */
export class ImageLoader {
  constructor(
    private readonly store: ImageStore,
    private readonly layers: Layers,
    private readonly events: ImageEvents,
    private readonly directory: string,
  ) {}

  async load(
    archive: Readable,
    progress: LoadProgress,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    const files = await ArchiveFiles.spill(await decompress(archive), this.directory, options);
    try {
      for (const image of await readArchive(files)) await this.#loadImage(image, progress, options);
    } finally {
      await files.dispose();
    }
  }

  async #loadImage(
    image: ArchivedImage,
    progress: LoadProgress,
    options: { readonly signal?: AbortSignal },
  ): Promise<void> {
    const staged = await this.layers.stage(
      image.layers.map(({ diffId, file }, index) => ({
        diffId,
        source: () => {
          progress.layer(diffId, index, image.layers.length);
          return { file };
        },
      })),
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
