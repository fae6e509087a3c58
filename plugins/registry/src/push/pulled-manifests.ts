import { type Collection, type StateDriver, StateDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';

/** The manifest that an image was pulled by. */
interface PulledManifest {
  /** Its exact text. */
  readonly text: string;
  readonly mediaType: string;
  /** `registry/path` of the repository it came from. */
  readonly place: string;
}

const mostManifests = 2000;
const mostBytes = 256 * 1024;

/** Remembers the manifests of pulled images by image id, so that a push can send the same again. */
@injectable()
export class PulledManifests {
  readonly #manifests: Collection<PulledManifest>;

  private readonly state: StateDriver;

  constructor(@inject(StateDrivers.token) states: DriverSet<StateDriver>) {
    this.state = states.get();
    this.#manifests = this.state.collection<PulledManifest>({
      name: 'registry-manifests',
      version: 1,
      parse: (value) => value as PulledManifest,
    });
  }

  of(imageId: string): PulledManifest | undefined {
    return this.#manifests.get(imageId);
  }

  /** The latest pull counts. Of unusually large manifests a push makes new ones. */
  async add(imageId: string, manifest: PulledManifest): Promise<void> {
    const known = this.of(imageId);
    if (known?.text === manifest.text && known.place === manifest.place) return;
    if (manifest.text.length > mostBytes) return;
    const spare = this.#manifests.size - mostManifests;
    const old = spare > 0 ? [...this.#manifests.entries()].slice(0, spare) : [];
    await this.state.transaction((transaction) => {
      for (const [id] of old) transaction.delete(this.#manifests, id);
      transaction.put(this.#manifests, imageId, manifest);
    });
  }
}
