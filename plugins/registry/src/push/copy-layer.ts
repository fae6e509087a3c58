import { createReadStream } from 'node:fs';
import { progressItem } from '@gantry/core/http';
import { Config, inject, injectable } from '@gantry/core/plugin';
import { shortId } from '@gantry/images/service';
import type { RegistryConfig } from '../config.js';
import { Downloads, type HeldBlob } from '../downloads/downloads.js';
import { throttled } from '../progress.js';
import { openBlob } from '../remote/blobs.js';
import { Endpoints, fromFirst } from '../remote/endpoints.js';
import type { Descriptor } from '../remote/manifest.js';
import type { PushTarget } from './push-layer.js';
import { upload } from './upload.js';

/** Copies compressed layers from the repository that an image was pulled from, so that their digests stay. */
@injectable()
export class CopyLayer {
  constructor(
    @inject(Endpoints) private readonly endpoints: Endpoints,
    @inject(Downloads) private readonly downloads: Downloads,
    @inject(Config) private readonly config: Pick<RegistryConfig, 'uploadChunkBytes'>,
  ) {}

  /**
   * The credentials of a push are for its own registry: another one is read without any.
   * @param place `registry/path` that has the layer. @returns false when it cannot be read there.
   */
  async copy(target: PushTarget, layer: Descriptor, place: string): Promise<boolean> {
    const held = await this.#read(target, layer, place);
    if (held === undefined) return false;
    const { session, repository, progress, signal } = target;
    const { digest, size } = layer;
    const sent = throttled((current) => progress(progressItem('Pushing', shortId(digest), current, size)));
    try {
      await upload({
        session,
        repository,
        chunkBytes: this.config.uploadChunkBytes,
        signal,
        source: {
          digest,
          size,
          open: (start, end) =>
            createReadStream(held.file, { start, end: Math.max(start, end - 1), highWaterMark: 2 ** 20 }),
        },
        onBytes: (current) => sent(current, current === size),
      });
      return true;
    } finally {
      await held.release(true);
    }
  }

  async #read(
    { session, repository, signal }: PushTarget,
    layer: Descriptor,
    place: string,
  ): Promise<HeldBlob | undefined> {
    const access = this.endpoints.open(place, undefined);
    const sources = access.repository.registry === repository.registry ? [session] : access.sources;
    const open = (offset: number, stop: AbortSignal) =>
      fromFirst(sources, (source) => openBlob(source, access.repository, layer, offset, stop), stop);
    try {
      return await this.downloads.get({ blob: layer, open }, {}, signal);
    } catch {
      // The caller compresses the layer again, and reports that.
      signal.throwIfAborted();
      return undefined;
    }
  }
}
