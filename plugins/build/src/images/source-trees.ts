import { type ArchiveDriver, ArchiveDrivers, type TreeListing } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import type { BuildContext } from '../context/build-context.js';
import { factsOf, type SourceTree, type TreeFacts } from './facts-of.js';
import type { ImageRoot } from './image-roots.js';

const maxFacts = 1000;

/** The trees that COPY and ADD take files from. */
@injectable()
export class SourceTrees {
  /** Facts of images by image and path, least recently used first. */
  readonly #facts = new Map<string, TreeFacts>();

  constructor(@inject(ArchiveDrivers.token) private readonly archives: DriverSet<ArchiveDriver>) {}

  /** The build context. */
  ofContext(context: BuildContext): SourceTree {
    return {
      absenceMessage: 'file not found in build context or excluded by .dockerignore: ',
      directory: () => context.files(),
      facts: async (path, options) => factsOf(await this.#list(await context.files(), path, options)),
      listing: async (path, options) => this.#list(await context.files(), path, options),
    };
  }

  /** An image. Its facts are kept, so that a cached step does not mount it. */
  ofImage(imageId: string, open: () => Promise<ImageRoot>): SourceTree {
    const directory = async (): Promise<string> => (await open()).directory;
    return {
      absenceMessage: '',
      directory,
      facts: async (path, options) => {
        const key = `${imageId}\0${path}`;
        const facts = this.#facts.get(key) ?? factsOf(await this.#list(await directory(), path, options));
        this.#keep(key, facts);
        return facts;
      },
      listing: async (path, options) => this.#list(await directory(), path, options),
    };
  }

  #list(root: string, path: string, options: { readonly signal: AbortSignal }): Promise<TreeListing> {
    return this.archives.get().listTree(root, path, { digests: true, ...options });
  }

  #keep(key: string, facts: TreeFacts): void {
    this.#facts.delete(key);
    this.#facts.set(key, facts);
    const [oldest] = this.#facts.keys();
    if (this.#facts.size > maxFacts && oldest !== undefined) this.#facts.delete(oldest);
  }
}
