import { type Collection, type StateDriver, StateDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import type { Descriptor } from '../remote/manifest.js';
import type { Repository } from '../remote/repository.js';

/** A compressed form of a layer that registries are known to have. */
interface KnownBlob {
  readonly digest: string;
  readonly size: number;
  /** `registry/path` of the repositories that had it, the latest first. */
  readonly repositories: readonly string[];
}

interface LayerBlobs {
  readonly blobs: readonly KnownBlob[];
}

const mostBlobs = 8;
const mostRepositories = 32;
const mostLayers = 20_000;

/** Remembers, for layers by their digest, which blobs they are and where, so that a push need not make them again. */
@injectable()
export class LayerDigests {
  readonly #layers: Collection<LayerBlobs>;

  private readonly state: StateDriver;

  constructor(@inject(StateDrivers.token) states: DriverSet<StateDriver>) {
    this.state = states.get();
    this.#layers = this.state.collection<LayerBlobs>({
      name: 'registry-layers',
      version: 1,
      parse: (value) => value as LayerBlobs,
    });
  }

  /** The latest first. */
  of(diffId: string): readonly KnownBlob[] {
    return this.#layers.get(diffId)?.blobs ?? [];
  }

  /** Layers a repository is known to have by now. Those compressed otherwise than a push does are left out. */
  async add(
    repository: Repository,
    layers: readonly { readonly diffId: string; readonly blob: Descriptor }[],
  ): Promise<void> {
    const place = `${repository.registry}/${repository.path}`;
    const fresh = layers.filter(
      ({ diffId, blob }) =>
        /gzip$/.test(blob.mediaType ?? '') &&
        this.of(diffId).find(({ digest }) => digest === blob.digest)?.repositories[0] !== place,
    );
    if (fresh.length === 0) return;
    const spare = this.#layers.size - mostLayers;
    const old = spare > 0 ? [...this.#layers.entries()].slice(0, spare) : [];
    await this.state.transaction((transaction) => {
      for (const [diffId] of old) transaction.delete(this.#layers, diffId);
      for (const { diffId, blob } of fresh) {
        const blobs = transaction.get(this.#layers, diffId)?.blobs ?? [];
        transaction.put(this.#layers, diffId, { blobs: withPlace(blobs, blob, place) });
      }
    });
  }
}

function withPlace(blobs: readonly KnownBlob[], { digest, size }: Descriptor, place: string): readonly KnownBlob[] {
  const before = blobs.find((blob) => blob.digest === digest)?.repositories ?? [];
  const repositories = [place, ...before.filter((other) => other !== place)].slice(0, mostRepositories);
  return [{ digest, size, repositories }, ...blobs.filter((blob) => blob.digest !== digest)].slice(0, mostBlobs);
}
