import { inject, injectable, isRecord } from '@gantry/core/driver';
import { internal } from '@gantry/core/errors';
import { formatReference, parseReference } from '@gantry/images/service';
import { fetchConfiguration } from './pull/fetch-configuration.js';
import { type Access, Endpoints, fromFirst } from './remote/endpoints.js';
import { type Descriptor, mediaTypes, parseManifest } from './remote/manifest.js';
import { fetchManifest } from './remote/manifests.js';
import { pullError } from './remote/translate.js';
import type { RegistryTarget } from './service.js';

/** What a name leads to at its registry, by the names of the API. */
interface Distribution {
  readonly Descriptor: { readonly mediaType: string; readonly digest: string; readonly size: number };
  readonly Platforms: readonly NonNullable<Descriptor['platform']>[];
}

/** API 1.30: GET /distribution/(name)/json. */
@injectable()
export class InspectDistribution {
  constructor(@inject(Endpoints) private readonly endpoints: Endpoints) {}

  /**
   * Asks the registry for the manifest only, and for the configuration of a single image. Rejects `not-found` for an
   * absent or unreadable repository or tag, `internal` when the registry fails.
   */
  async inspect({ reference, credentials }: RegistryTarget, signal: AbortSignal): Promise<Distribution> {
    const parsed = parseReference(reference);
    const name = formatReference(parsed);
    const access = this.endpoints.open(parsed.repository, credentials);
    const target = parsed.digest ?? parsed.tag ?? 'latest';
    try {
      const { bytes, digest, mediaType } = await fromFirst(
        access.sources,
        (source) => fetchManifest(source, access.repository, target, signal),
        signal,
      );
      const manifest = parseManifest(bytes, mediaType, name);
      const type = mediaType?.split(';')[0]?.trim();
      const descriptor = { mediaType: type || mediaTypes.manifest, digest, size: bytes.length };
      const Platforms =
        manifest.kind === 'index'
          ? manifest.manifests.flatMap(({ platform }) => (platform === undefined ? [] : [platform]))
          : [await platformOf(access, manifest.manifest.config, signal)];
      return { Descriptor: descriptor, Platforms };
    } catch (error) {
      throw pullError(error, parsed.repository, name);
    }
  }
}

async function platformOf(
  access: Access,
  config: Descriptor,
  signal: AbortSignal,
): Promise<NonNullable<Descriptor['platform']>> {
  const document: unknown = JSON.parse(await fetchConfiguration(access, config, signal));
  if (!isRecord(document)) throw internal(`the configuration ${config.digest} is not an object`);
  const { architecture, os, variant } = document;
  return {
    ...(typeof architecture === 'string' && { architecture }),
    ...(typeof os === 'string' && { os }),
    ...(typeof variant === 'string' && { variant }),
  };
}
