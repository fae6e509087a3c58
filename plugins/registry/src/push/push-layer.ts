import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { progressItem } from '@gantry/core/http';
import { Config, inject, injectable, Semaphore } from '@gantry/core/plugin';
import { type ContentLayer, ImageExchange, shortId } from '@gantry/images/service';
import type { RegistryConfig } from '../config.js';
import { type Progress, step, throttled } from '../progress.js';
import { statBlob } from '../remote/blobs.js';
import { type Descriptor, mediaTypes } from '../remote/manifest.js';
import { pushScope, type Repository } from '../remote/repository.js';
import type { RegistrySession } from '../remote/session.js';
import { compress } from './compress.js';
import { LayerDigests } from './layer-digests.js';
import { mountBlob } from './mount-blob.js';
import { upload } from './upload.js';

/** The directory of blobs that are being pushed; files in it may be removed while no push runs. */
export const UploadDirectory = Symbol('upload directory');

export interface PushTarget {
  readonly session: RegistrySession;
  readonly repository: Repository;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Tries this many of what is known of a layer before it is compressed. */
const tries = 4;

/** Pushes one layer, no more of them at once than configured. */
@injectable()
export class PushLayer {
  readonly #slots: Semaphore;

  constructor(
    @inject(ImageExchange.token) private readonly exchange: ImageExchange,
    @inject(LayerDigests) private readonly digests: LayerDigests,
    @inject(UploadDirectory) private readonly directory: string,
    @inject(Config) private readonly config: Pick<RegistryConfig, 'maxConcurrentUploads' | 'uploadChunkBytes'>,
  ) {
    this.#slots = new Semaphore(config.maxConcurrentUploads);
  }

  /** Pushes a layer to a repository, with as little work as what is known of it allows. Resolves to its blob. */
  async push(target: PushTarget, layer: ContentLayer): Promise<Descriptor> {
    const { progress, signal } = target;
    const id = shortId(layer.diffId);
    if (this.#slots.isExhausted) progress(step('Waiting', id));
    const leave = await this.#slots.acquire({ signal });
    try {
      const there = await this.#findThere(target, layer);
      if (there !== undefined) {
        progress(step('Layer already exists', id));
        return there;
      }
      const mounted = await this.#mount(target, layer);
      if (mounted !== undefined) return mounted;
      return await this.#send(target, layer, id);
    } finally {
      leave();
    }
  }

  /** A blob of the layer that the repository has. */
  async #findThere({ session, repository, signal }: PushTarget, layer: ContentLayer): Promise<Descriptor | undefined> {
    for (const { digest } of this.digests.of(layer.diffId).slice(0, tries)) {
      const size = await statBlob(session, repository, digest, pushScope(repository), signal);
      if (size !== undefined) return { mediaType: mediaTypes.layer, digest, size };
    }
    return undefined;
  }

  /** Takes the layer from another repository of the registry that is known to have had it. */
  async #mount(
    { session, repository, progress, signal }: PushTarget,
    layer: ContentLayer,
  ): Promise<Descriptor | undefined> {
    const prefix = `${repository.registry}/`;
    const candidates = this.digests
      .of(layer.diffId)
      .flatMap(({ digest, size, repositories }) => repositories.map((place) => ({ digest, size, place })))
      .filter(({ place }) => place.startsWith(prefix) && place !== `${prefix}${repository.path}`);
    for (const { digest, size, place } of candidates.slice(0, tries)) {
      const from = place.slice(prefix.length);
      const opened = await mountBlob(session, repository, digest, from, signal);
      if (opened === undefined) {
        progress(step(`Mounted from ${from}`, shortId(layer.diffId)));
        return { mediaType: mediaTypes.layer, digest, size };
      }
      if (opened !== null) await session.cancel(opened, pushScope(repository));
    }
    return undefined;
  }

  async #send(
    { session, repository, progress, signal }: PushTarget,
    layer: ContentLayer,
    id: string,
  ): Promise<Descriptor> {
    const file = path.join(this.directory, `push-${randomBytes(8).toString('hex')}`);
    try {
      const prepared = throttled((read) =>
        progress(progressItem('Preparing', id, Math.min(read, layer.size), layer.size)),
      );
      const { digest, size } = await compress(await this.exchange.openLayer(layer.storageId, { signal }), file, {
        signal,
        onBytes: prepared,
      });
      const blob = { mediaType: mediaTypes.layer, digest, size };
      if ((await statBlob(session, repository, digest, pushScope(repository), signal)) !== undefined) {
        progress(step('Layer already exists', id));
        return blob;
      }
      const sent = throttled((current) => progress(progressItem('Pushing', id, current, size)));
      await upload({
        session,
        repository,
        chunkBytes: this.config.uploadChunkBytes,
        signal,
        source: {
          digest,
          size,
          open: (start, end) =>
            createReadStream(file, { start, end: Math.max(start, end - 1), highWaterMark: 2 ** 20 }),
        },
        onBytes: (current) => sent(current, current === size),
      });
      progress(step('Pushed', id));
      return blob;
    } finally {
      await rm(file, { force: true });
    }
  }
}
