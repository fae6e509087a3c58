import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable, type Measurement, WorkCounter } from '@gantry/core/plugin';
import {
  formatReference,
  ImageExchange,
  type ImageReference,
  type ImageSource,
  type ImageSourceSettings,
  type Platform,
  type PullRequest,
  parseReference,
} from '@gantry/images/service';
import { ImageEvents } from '../image-events.js';
import { type Progress, status } from '../progress.js';
import { RegistrySettings } from '../registry-settings.js';
import { type Access, Endpoints, fromFirst } from '../remote/endpoints.js';
import { hostPlatform } from '../remote/manifest.js';
import { resolveImage } from '../remote/resolve-image.js';
import { listTags } from '../remote/tags.js';
import { pullError } from '../remote/translate.js';
import { AdmitImage } from './admit-image.js';
import { platformWarnings } from './platform-warnings.js';
import { PullImage } from './pull-image.js';

interface Pulled {
  readonly id: string;
  /** False when the name led to this image before. */
  readonly isNew: boolean;
  readonly warnings: readonly string[];
}

/** Pulls images: one, or every tag of a repository. */
@injectable()
export class Puller implements ImageSource {
  readonly #pulls = new WorkCounter('image_pulls', 'pulls of images');

  constructor(
    @inject(Endpoints) private readonly endpoints: Endpoints,
    @inject(AdmitImage) private readonly admitImage: AdmitImage,
    @inject(PullImage) private readonly pullImage: PullImage,
    @inject(ImageExchange.token) private readonly exchange: ImageExchange,
    @inject(ImageEvents) private readonly events: ImageEvents,
    @inject(RegistrySettings) private readonly registrySettings: RegistrySettings,
  ) {}

  settings(): ImageSourceSettings {
    return this.registrySettings.current;
  }

  measure(): readonly Measurement[] {
    return this.#pulls.measure();
  }

  pull(request: PullRequest, options: { readonly signal?: AbortSignal } = {}): Promise<string> {
    return this.#pulls.run(() => this.#pull(request, options));
  }

  async #pull(request: PullRequest, options: { readonly signal?: AbortSignal }): Promise<string> {
    const reference = parseReference(request.reference);
    const progress: Progress = request.progress ?? (() => undefined);
    const signal = options.signal ?? new AbortController().signal;
    const access = this.endpoints.open(reference.repository, request.credentials, request.keychain);
    try {
      const isOne = request.allTags !== true || reference.tag !== undefined || reference.digest !== undefined;
      const pulled = isOne
        ? await this.#pullOne(access, reference, request.platform, progress, signal)
        : await this.#pullAll(access, reference.repository, request.platform, progress, signal);
      const shown = isOne ? formatReference(reference) : reference.repository;
      progress(status(`Status: ${pulled.isNew ? 'Downloaded newer image for' : 'Image is up to date for'} ${shown}`));
      for (const warning of pulled.warnings) progress(status(`WARNING: ${warning}`));
      return pulled.id;
    } catch (error) {
      throw pullError(error, reference.repository, formatReference(reference));
    }
  }

  async #pullAll(
    access: Access,
    repository: string,
    platform: Platform | undefined,
    progress: Progress,
    signal: AbortSignal,
  ): Promise<Pulled> {
    const tags = await fromFirst(access.sources, (source) => listTags(source, access.repository, signal), signal);
    let all: Pulled = { id: '', isNew: false, warnings: [] };
    for (const tag of tags) {
      const { id, isNew, warnings } = await this.#pullOne(access, { repository, tag }, platform, progress, signal);
      all = { id, isNew: all.isNew || isNew, warnings: [...all.warnings, ...warnings] };
    }
    return all;
  }

  async #pullOne(
    access: Access,
    reference: ImageReference,
    platform: Platform | undefined,
    progress: Progress,
    signal: AbortSignal,
  ): Promise<Pulled> {
    const { repository, tag = 'latest', digest: wanted } = reference;
    const name = formatReference(reference);
    const wantedPlatform = platform ?? hostPlatform;
    const { digest, manifest, manifestDigest, served } = await resolveImage(
      access,
      wanted ?? tag,
      name,
      wantedPlatform,
      signal,
    );
    await this.admitImage.admit(access, reference, [digest, manifestDigest], signal);
    progress(status(`Pulling from ${access.repository.path}`, wanted ?? tag));
    const pinned = formatReference({ repository, digest });
    const before = this.#idOf(name);
    const references = wanted === undefined ? [name, pinned] : [pinned];
    const pulled = await this.pullImage.pull({ access, manifest, served, references, progress, signal });
    const { id } = pulled;
    progress(status(`Digest: ${digest}`));
    crashPoint('registry.pull.recorded');
    this.events.publish('pull', id, name, repository);
    return { id, isNew: before !== id, warnings: platformWarnings(name, pulled.configuration, platform) };
  }

  #idOf(name: string): string | undefined {
    try {
      return this.exchange.content(name).id;
    } catch {
      return undefined;
    }
  }
}
