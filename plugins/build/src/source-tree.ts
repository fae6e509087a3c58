import { createHash } from 'node:crypto';
import type { ArchiveDriver, TreeListing } from '@gantry/core/contracts';
import type { BuildContext } from './context/build-context.js';
import type { ImageRoot } from './root.js';

/** What is at a path of a tree that does not change. */
export interface TreeFacts {
  /** Without links. */
  readonly path: string;
  /** As in `st_mode`; undefined when nothing is there. */
  readonly mode: number | undefined;
  /** Of everything it holds; of a directory not what it is like itself. */
  readonly digest: string;
}

/** Where COPY and ADD take files from. */
export interface SourceTree {
  /** Host path, from which nothing leads out. */
  directory(): Promise<string>;
  facts(path: string, options: { readonly signal: AbortSignal }): Promise<TreeFacts>;
  /** How an error says that something is not there. */
  readonly absence: string;
}

/** The build's own context. */
export class ContextTree implements SourceTree {
  readonly absence = 'file not found in build context or excluded by .dockerignore: ';

  constructor(
    private readonly context: BuildContext,
    private readonly archive: ArchiveDriver,
  ) {}

  async directory(): Promise<string> {
    return this.context.directory;
  }

  async facts(path: string, options: { readonly signal: AbortSignal }): Promise<TreeFacts> {
    return factsOf(await this.archive.listTree(this.context.directory, path, { digests: true, ...options }));
  }
}

/** The files of an image. What is known of them stays known, so that a build from the cache need not look at them. */
export class ImageTree implements SourceTree {
  readonly absence = '';

  constructor(
    private readonly imageId: string,
    private readonly known: KnownFacts,
    private readonly archive: ArchiveDriver,
    private readonly open: () => Promise<ImageRoot>,
  ) {}

  async directory(): Promise<string> {
    return (await this.open()).directory;
  }

  async facts(path: string, options: { readonly signal: AbortSignal }): Promise<TreeFacts> {
    const key = `${this.imageId}\0${path}`;
    const facts =
      this.known.get(key) ??
      factsOf(await this.archive.listTree(await this.directory(), path, { digests: true, ...options }));
    this.known.set(key, facts);
    return facts;
  }
}

const mostKnown = 1000;

/** Facts of images by image and path; the longest unused go first. */
export class KnownFacts {
  readonly #facts = new Map<string, TreeFacts>();

  get(key: string): TreeFacts | undefined {
    return this.#facts.get(key);
  }

  set(key: string, facts: TreeFacts): void {
    this.#facts.delete(key);
    this.#facts.set(key, facts);
    const [oldest] = this.#facts.keys();
    if (this.#facts.size > mostKnown && oldest !== undefined) this.#facts.delete(oldest);
  }
}

export function factsOf({ path, mode, entries }: TreeListing): TreeFacts {
  const hash = createHash('sha256');
  for (const entry of entries) {
    if (entry.path !== '' || entries.length === 1) hash.update(`${entry.path}\0${entry.digest}\0`);
  }
  return { path, mode, digest: hash.digest('hex') };
}
