import { setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import { crashPoint } from '@gantry/core/crash-points';
import { notFound } from '@gantry/core/errors';
import { inject, injectable } from '@gantry/core/plugin';
import type { RegistryCredentials } from '@gantry/engine-api/service';
import {
  formatReference,
  type ImageContent,
  ImageExchange,
  type ImageReference,
  type Platform,
  shortId,
} from '@gantry/images/service';
import { ImageEvents } from '../image-events.js';
import { type Progress, status, step } from '../progress.js';
import { statBlob } from '../remote/blobs.js';
import { Endpoints } from '../remote/endpoints.js';
import { type Descriptor, mediaTypes } from '../remote/manifest.js';
import { pushManifest } from '../remote/manifests.js';
import { pushScope } from '../remote/repository.js';
import { plainError } from '../remote/translate.js';
import { LayerDigests } from './layer-digests.js';
import { PushLayer, type PushTarget } from './push-layer.js';
import { UnchangedImage } from './unchanged-image.js';
import { upload } from './upload.js';

interface PushRequest {
  /** Without a tag every tag of the repository is pushed. */
  readonly reference: ImageReference;
  /** The images have to be for it. */
  readonly platform?: Platform | undefined;
  readonly credentials?: RegistryCredentials;
  readonly progress: Progress;
}

/** Pushes images of a repository. */
@injectable()
export class Pusher {
  constructor(
    @inject(Endpoints) private readonly endpoints: Endpoints,
    @inject(PushLayer) private readonly pushLayer: PushLayer,
    @inject(UnchangedImage) private readonly unchanged: UnchangedImage,
    @inject(ImageExchange.token) private readonly exchange: ImageExchange,
    @inject(LayerDigests) private readonly digests: LayerDigests,
    @inject(ImageEvents) private readonly events: ImageEvents,
  ) {}

  /** Rejects `not-found` when there is no such image. */
  async push(request: PushRequest, signal: AbortSignal): Promise<void> {
    const { reference, progress } = request;
    const { repository, tag } = reference;
    const { exchange } = this;
    const tags = tag === undefined ? exchange.tagsOf(repository) : [tag];
    const images = tags.map((name) => ({
      tag: name,
      image: this.#imageOf(formatReference({ repository, tag: name }), request.platform),
    }));
    if (images.length === 0) throw absent(repository);
    const access = this.endpoints.open(repository, request.credentials);
    const target = { session: access.origin, repository: access.repository, progress, signal };
    progress(status(`The push refers to repository [${access.repository.registry}/${access.repository.path}]`));
    try {
      for (const { tag: name, image } of images) await this.#pushOne(target, repository, name, image);
    } catch (error) {
      throw plainError(error);
    }
  }

  #imageOf(name: string, platform: Platform | undefined): ImageContent {
    try {
      this.exchange.content(name);
    } catch (cause) {
      throw absent(name, cause);
    }
    return this.exchange.content(name, platform);
  }

  async #pushOne(target: PushTarget, repository: string, tag: string, image: ImageContent): Promise<void> {
    const { progress, signal } = target;
    for (const layer of [...image.layers].reverse()) progress(step('Preparing', shortId(layer.diffId)));
    const unchanged = await this.unchanged.pushLayers(target, image);
    const layers = unchanged === undefined ? await this.#pushLayers(target, image) : [];
    crashPoint('registry.push.layers');
    const config = await this.#pushConfiguration(target, image);
    const manifest = unchanged ?? { bytes: manifestOf(config, layers), mediaType: mediaTypes.manifest };
    const { bytes } = manifest;
    const digest = await pushManifest(target.session, target.repository, tag, manifest, signal);
    crashPoint('registry.push.manifest');
    await this.digests.add(
      target.repository,
      layers.map((blob, index) => ({ diffId: image.layers[index]?.diffId ?? '', blob })),
    );
    await this.exchange.name(image.id, [formatReference({ repository, digest })]);
    progress(status(`${tag}: digest: ${digest} size: ${bytes.length}`));
    progress({ progressDetail: {}, aux: { Tag: tag, Digest: digest, Size: bytes.length } });
    this.events.publish('push', image.id, formatReference({ repository, tag }), repository);
  }

  /** One failure ends the others. */
  async #pushLayers(target: PushTarget, image: ImageContent): Promise<readonly Descriptor[]> {
    const stop = new AbortController();
    const together = { ...target, signal: AbortSignal.any([target.signal, stop.signal]) };
    // Every layer listens.
    setMaxListeners(0, together.signal);
    const once = new Map<string, Promise<Descriptor>>();
    const pushes = image.layers.map((layer) => {
      const pushing = once.get(layer.diffId) ?? this.pushLayer.push(together, layer);
      once.set(layer.diffId, pushing);
      return pushing;
    });
    try {
      return await Promise.all(pushes);
    } catch (error) {
      stop.abort();
      await Promise.allSettled(pushes);
      throw error;
    }
  }

  async #pushConfiguration({ session, repository, signal }: PushTarget, image: ImageContent): Promise<Descriptor> {
    const content = Buffer.from(image.configuration);
    const blob = { mediaType: mediaTypes.config, digest: image.id, size: content.length };
    const there = await statBlob(session, repository, image.id, pushScope(repository), signal);
    if (there === undefined) {
      const source = { ...blob, open: (start: number, end: number) => Readable.from([content.subarray(start, end)]) };
      await upload({ session, repository, signal, chunkBytes: 0, source });
    }
    return blob;
  }
}

/** Indented as by other engines: an image has the same digest from each of them. */
function manifestOf(config: Descriptor, layers: readonly Descriptor[]): Buffer {
  const ordered = ({ mediaType, size, digest }: Descriptor) => ({ mediaType, size, digest });
  const manifest = {
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    config: ordered(config),
    layers: layers.map(ordered),
  };
  return Buffer.from(JSON.stringify(manifest, null, 3));
}

const absent = (name: string, cause?: unknown) =>
  notFound(`An image does not exist locally with the tag: ${name.replace(/:[^:/]*$/, '')}`, { cause });
