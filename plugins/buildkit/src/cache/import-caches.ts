import type { CacheImport } from '@gantry/build/service';
import type { LayerSource } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { conflict, invalidArgument } from '@gantry/core/errors';
import { type Descriptor, type ImageManifest, RegistryClient } from '@gantry/registry/service';
import type { BuildJob } from '../jobs/build-job.js';
import { describeFailure } from '../progress/describe-failure.js';
import type { ClientSession } from '../sessions/client-session.js';
import { targetFor } from '../sessions/registry-credentials.js';
import { type CacheContent, readCache } from './cache-document.js';
import type { CachePlace } from './cache-options.js';

interface OpenCache {
  readonly content: CacheContent;
  openLayer(layer: Descriptor): Promise<LayerSource>;
}

/** Caches that a build may take steps from. */
interface ImportedCaches {
  readonly imports: readonly CacheImport[];
  /** Releases the layers that were fetched. */
  release(): Promise<void>;
}

/** Reads caches from registries and from directories of clients. Layers are fetched when a step that has them is reused. */
@injectable()
export class ImportCaches {
  constructor(@inject(RegistryClient.token) private readonly registry: RegistryClient) {}

  /** A cache that cannot be read is shown with its error, and the build goes on without it. */
  async open(
    job: BuildJob,
    session: ClientSession,
    places: readonly CachePlace[],
    signal: AbortSignal,
  ): Promise<ImportedCaches> {
    const releases: (() => Promise<void>)[] = [];
    const imports: CacheImport[] = [];
    for (const place of places) {
      const shown = place.type === 'registry' ? place.reference : place.store;
      const vertex = job.progress.vertex(`importing cache manifest from ${shown}`).start();
      try {
        const cache =
          place.type === 'registry'
            ? await this.#atRegistry(session, place.reference, { signal, releases })
            : await atClient(session, place, signal);
        imports.push(...importsOf(cache));
        vertex.complete();
      } catch (error) {
        signal.throwIfAborted();
        vertex.complete({ error: describeFailure(error) });
      }
    }
    const release = async (): Promise<void> => {
      await Promise.allSettled(releases.splice(0).map((one) => one()));
    };
    return { imports, release };
  }

  async #atRegistry(
    session: ClientSession,
    reference: string,
    { signal, releases }: { readonly signal: AbortSignal; readonly releases: (() => Promise<void>)[] },
  ): Promise<OpenCache> {
    const target = await targetFor(session, reference, signal);
    const { manifest } = await this.registry.resolve(target, { signal });
    const config = await this.registry.document(target, manifest.config, { signal });
    return {
      content: readCache(manifest, config),
      openLayer: async (layer) => {
        const { file, release } = await this.registry.fetch(target, layer, { signal });
        releases.push(() => release(true));
        return { file };
      },
    };
  }
}

async function atClient(
  session: ClientSession,
  { store: name, digest }: Extract<CachePlace, { readonly type: 'local' }>,
  signal: AbortSignal,
): Promise<OpenCache> {
  const store = session.contentStore(name);
  const manifest = JSON.parse(await store.text(digest, { signal })) as Partial<ImageManifest>;
  if (manifest.config === undefined || manifest.layers === undefined) {
    throw invalidArgument(`${digest} is a cache of another builder`);
  }
  const config = await store.text(manifest.config.digest, { signal });
  return {
    content: readCache({ config: manifest.config, layers: manifest.layers }, config),
    openLayer: async (layer) => ({ stream: store.read(layer.digest, { signal }) }),
  };
}

function importsOf({ content: { configurations, layers }, openLayer }: OpenCache): readonly CacheImport[] {
  return configurations.map((configuration) => ({
    configuration,
    openLayer: (_index, diffId) => {
      const layer = layers.get(diffId);
      if (layer === undefined) throw conflict(`the cache has no layer ${diffId}`);
      return openLayer(layer);
    },
  }));
}
