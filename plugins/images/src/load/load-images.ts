import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type ArchiveDriver, ArchiveDrivers } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { digestOf, type ImageConfiguration, parseImageConfiguration } from '../configuration/image-configuration.js';
import { formatPlatform, isForPlatform, type Platform } from '../configuration/platform.js';
import { LayerStaging, type WantedLayer } from '../layers/layer-staging.js';
import { ImageEvents } from '../store/image-events.js';
import type { ImageRecord } from '../store/image-record.js';
import { ImageStore } from '../store/image-store.js';
import { ArchiveFiles } from './archive-files.js';
import { readArchive } from './read-archive.js';
import { Uploads } from './uploads.js';
import type { ArchivedImage, ArchivedLayer } from './with-configuration.js';

/** Receives the progress of a load. */
export interface LoadProgress {
  /** Called while a layer is being extracted: `current` of `total` bytes are read. */
  readonly layer: (name: string, current: number, total: number) => void;
  readonly loaded: (image: { readonly id: string; readonly references: readonly string[] }) => void;
}

/** Stores the images of an archive, each completely or not at all. Spec: POST /images/load. */
@injectable()
export class LoadImages {
  constructor(
    @inject(ImageStore) private readonly store: ImageStore,
    @inject(LayerStaging) private readonly layers: LayerStaging,
    @inject(ImageEvents) private readonly events: ImageEvents,
    @inject(ArchiveDrivers.token) private readonly archives: DriverSet<ArchiveDriver>,
    @inject(Uploads) private readonly uploads: Uploads,
  ) {}

  async load(
    archive: Readable,
    progress: LoadProgress,
    options: { readonly platform?: Platform | undefined; readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    const upload = this.uploads.reserve();
    try {
      const files = await this.#spill(archive, upload.directory, options);
      try {
        const images = imagesFor(await readArchive(files, options.platform), options.platform);
        for (const image of parentsFirst(images)) await this.#loadImage(image, progress, options);
      } finally {
        await files.dispose();
      }
    } finally {
      upload.release();
    }
  }

  async #spill(
    archive: Readable,
    directory: string,
    options: { readonly signal?: AbortSignal },
  ): Promise<ArchiveFiles> {
    let expanded: Readable;
    try {
      expanded = await this.archives.get().expand(archive, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      throw error;
    }
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
          image: this.store.byId(id)?.record ?? {
            id,
            configurationJson: json,
            addedAt: new Date().toISOString(),
            ...this.#parentOf(image, staged.layers),
          },
          references: Object.fromEntries(image.references.map((name) => [name, id])),
        }),
      );
      this.events.publish('load', id, id);
      progress.loaded({ id, references: image.references });
    } finally {
      await staged.release();
    }
  }

  /** The parent that the archive names, if it is stored and the image has all its layers. */
  #parentOf(
    { parent }: ArchivedImage,
    layers: readonly { readonly diffId: string }[],
  ): Pick<ImageRecord, 'parent' | 'hasForeignParent'> {
    const stored = parent === undefined ? undefined : this.store.byId(parent);
    if (stored === undefined) return {};
    const below = stored.configuration.rootfs.diff_ids;
    if (below.some((diffId, index) => layers[index]?.diffId !== diffId)) return {};
    return { parent: stored.record.id, hasForeignParent: true };
  }

  #configure(image: ArchivedImage, diffIds: readonly string[]): ImageConfiguration {
    const configuration = image.configure?.(diffIds);
    return configuration ?? parseImageConfiguration('{"rootfs":{"diff_ids":[]}}');
  }
}

/** Those for a platform, where one is asked for. @throws EngineError `invalid-argument` when there is none. */
function imagesFor(images: readonly ArchivedImage[], platform: Platform | undefined): readonly ArchivedImage[] {
  if (platform === undefined) return images;
  const fitting = images.filter(({ configurationJson, configure }) => {
    const configuration =
      configurationJson === undefined ? configure?.([]) : parseImageConfiguration(configurationJson);
    return configuration !== undefined && isForPlatform(configuration, platform);
  });
  if (fitting.length === 0) {
    throw invalidArgument(
      `requested platform (${formatPlatform(platform)}) not found: the archive has no image for it`,
    );
  }
  return fitting;
}

/** The images of an archive in an order in which each comes after its parent; those of a loop keep theirs. */
function parentsFirst(images: readonly ArchivedImage[]): readonly ArchivedImage[] {
  const byId = new Map(images.map((image) => [digestOf(image.configurationJson ?? ''), image]));
  const ordered = new Set<ArchivedImage>();
  const begun = new Set<ArchivedImage>();
  for (const image of images) {
    const chain: ArchivedImage[] = [];
    for (let next: ArchivedImage | undefined = image; next !== undefined && !begun.has(next); ) {
      begun.add(next);
      chain.push(next);
      next = next.parent === undefined ? undefined : byId.get(next.parent);
    }
    for (const each of chain.reverse()) ordered.add(each);
  }
  return [...ordered];
}

/** A layer of the archive that reports its progress. */
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
