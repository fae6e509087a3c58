import { inject, injectable } from '@gantry/core/plugin';
import type { ImageContent } from '@gantry/images/service';
import { shortId } from '@gantry/images/service';
import { status, step } from '../progress.js';
import { statBlob } from '../remote/blobs.js';
import { type Descriptor, parseManifest } from '../remote/manifest.js';
import { pushScope } from '../remote/repository.js';
import { CopyLayer } from './copy-layer.js';
import { mountBlob } from './mount-blob.js';
import { PulledManifests } from './pulled-manifests.js';
import type { PushTarget } from './push-layer.js';

/** Pushes the layers of a pulled image as they came, compressed as they were, so that its manifest stays the same. */
@injectable()
export class UnchangedImage {
  constructor(
    @inject(PulledManifests) private readonly pulled: PulledManifests,
    @inject(CopyLayer) private readonly copyLayer: CopyLayer,
  ) {}

  /**
   * Resolves to the manifest that the image was pulled by when the repository has its layers, or gets them from the
   * repository that they came from; to undefined, with a line of progress, when they have to be compressed again.
   */
  async pushLayers(
    target: PushTarget,
    image: ImageContent,
  ): Promise<{ readonly bytes: Buffer; readonly mediaType: string } | undefined> {
    const pulled = this.pulled.of(image.id);
    if (pulled === undefined) return undefined;
    const { text, mediaType, place } = pulled;
    const bytes = Buffer.from(text);
    const parsed = parseManifest(bytes, mediaType, image.id);
    if (parsed.kind !== 'image') return undefined;
    const steps: object[] = [];
    for (const [index, layer] of parsed.manifest.layers.entries()) {
      const id = shortId(image.layers[index]?.diffId ?? layer.digest);
      const how = await this.#provide(target, layer, place);
      if (how === undefined) {
        target.progress(status(`${place} does not serve layer ${id}: layers are compressed again, with other digests`));
        return undefined;
      }
      steps.push(step(how, id));
    }
    for (const done of steps) target.progress(done);
    return { bytes, mediaType };
  }

  async #provide(target: PushTarget, layer: Descriptor, place: string): Promise<string | undefined> {
    const { session, repository, signal } = target;
    const { digest } = layer;
    const there = await statBlob(session, repository, digest, pushScope(repository), signal);
    if (there !== undefined) return 'Layer already exists';
    const prefix = `${repository.registry}/`;
    const from = place.startsWith(prefix) ? place.slice(prefix.length) : undefined;
    if (from === repository.path) return undefined;
    if (from !== undefined) {
      const opened = await mountBlob(session, repository, digest, from, signal);
      if (opened === undefined) return `Mounted from ${from}`;
      if (opened !== null) await session.cancel(opened, pushScope(repository));
    }
    return (await this.copyLayer.copy(target, layer, place)) ? 'Pushed' : undefined;
  }
}
