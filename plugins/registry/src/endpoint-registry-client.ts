import { Config, inject, injectable } from '@gantry/core/driver';
import { formatReference, parseReference } from '@gantry/images/service';
import type { RegistryConfig } from './config.js';
import { Downloads } from './downloads/downloads.js';
import { AdmitImage } from './pull/admit-image.js';
import { fetchConfiguration } from './pull/fetch-configuration.js';
import { Pusher } from './push/pusher.js';
import { upload } from './push/upload.js';
import { openBlob, statBlob } from './remote/blobs.js';
import { Endpoints, fromFirst } from './remote/endpoints.js';
import { type Descriptor, hostPlatform } from './remote/manifest.js';
import { pushManifest } from './remote/manifests.js';
import { pushScope } from './remote/repository.js';
import { resolveImage } from './remote/resolve-image.js';
import { plainError, pullError } from './remote/translate.js';
import type { FetchedBlob, RegistryClient, RegistryTarget, ResolvedManifest, UploadSource } from './service.js';

interface Options {
  readonly signal?: AbortSignal;
}

/** The service for other areas. */
@injectable()
export class EndpointRegistryClient implements RegistryClient {
  constructor(
    @inject(Endpoints) private readonly endpoints: Endpoints,
    @inject(AdmitImage) private readonly admitImage: AdmitImage,
    @inject(Downloads) private readonly downloads: Downloads,
    @inject(Config) private readonly config: RegistryConfig,
    @inject(Pusher) private readonly pusher: Pusher,
  ) {}

  resolve(request: RegistryTarget, { signal }: Options = {}): Promise<ResolvedManifest> {
    const { tag, digest } = parseReference(request.reference);
    return this.#reading(request, async (access, name) => {
      const resolved = await resolveImage(access, digest ?? tag ?? 'latest', name, hostPlatform, signal);
      await this.admitImage.admit(access, { digest, tag }, [resolved.digest, resolved.manifestDigest], signal);
      return resolved;
    });
  }

  document(request: RegistryTarget, blob: Descriptor, { signal }: Options = {}): Promise<string> {
    return this.#reading(request, (access) => fetchConfiguration(access, blob, signal));
  }

  fetch(
    request: RegistryTarget,
    blob: Descriptor,
    { signal, onBytes }: Options & { readonly onBytes?: (current: number) => void } = {},
  ): Promise<FetchedBlob> {
    return this.#reading(request, (access) =>
      this.downloads.get(
        {
          blob,
          open: (offset, stop) =>
            fromFirst(access.sources, (source) => openBlob(source, access.repository, blob, offset, stop), stop),
        },
        { ...(onBytes !== undefined && { bytes: onBytes }) },
        signal ?? new AbortController().signal,
      ),
    );
  }

  async upload(
    { reference, credentials }: RegistryTarget,
    source: UploadSource,
    { signal = new AbortController().signal, onBytes }: Options & { readonly onBytes?: (sent: number) => void } = {},
  ): Promise<boolean> {
    const { origin: session, repository } = this.endpoints.open(parseReference(reference).repository, credentials);
    try {
      const there = await statBlob(session, repository, source.digest, pushScope(repository), signal);
      if (there !== undefined) return false;
      const { uploadChunkBytes: chunkBytes } = this.config;
      await upload({ session, repository, source, chunkBytes, signal, ...(onBytes !== undefined && { onBytes }) });
      return true;
    } catch (error) {
      throw plainError(error);
    }
  }

  async publish(
    { reference, credentials }: RegistryTarget,
    manifest: { readonly bytes: Buffer; readonly mediaType: string },
    { signal }: Options = {},
  ): Promise<string> {
    const { repository: name, tag = 'latest' } = parseReference(reference);
    const { origin, repository } = this.endpoints.open(name, credentials);
    try {
      return await pushManifest(origin, repository, tag, manifest, signal);
    } catch (error) {
      throw plainError(error);
    }
  }

  async push(
    { reference, credentials }: RegistryTarget,
    { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (item: object) => void },
  ): Promise<void> {
    const named = { reference: parseReference(reference), progress: onProgress };
    await this.pusher.push({ ...named, ...(credentials !== undefined && { credentials }) }, signal);
  }

  async #reading<T>(
    { reference, credentials }: RegistryTarget,
    work: (access: ReturnType<Endpoints['open']>, name: string) => Promise<T>,
  ): Promise<T> {
    const parsed = parseReference(reference);
    const name = formatReference(parsed);
    try {
      return await work(this.endpoints.open(parsed.repository, credentials), name);
    } catch (error) {
      throw pullError(error, parsed.repository, name);
    }
  }
}
