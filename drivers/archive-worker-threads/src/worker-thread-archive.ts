import { addAbortSignal, Readable } from 'node:stream';
import type {
  ArchiveDriver,
  ArchiveOptions,
  ArchiveRoot,
  ChangedTree,
  ExtractedArchive,
  ExtractedLayer,
  ExtractLayerOptions,
  ExtractOptions,
  LayerJournal,
  LayerSource,
  PackTreeOptions,
  PathChange,
  PathStat,
  ResolvedPath,
  SelectedPath,
  TreeListing,
} from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { abortError, throwIfAborted } from '@gantry/lib-archive/errors';
import { Launcher } from '@gantry/lib-linux/launcher';
import { expand } from './compression/expand.js';
import { ExpansionLimit } from './compression/expansion-limit.js';
import { openSource } from './compression/open-source.js';
import { JobStream } from './pool/job-stream.js';
import type { ExtractRequest, ExtractResult, JobKind, Jobs } from './pool/jobs.js';
import { type JobOptions, runJob } from './pool/run-job.js';
import { ThreadPool } from './pool/thread-pool.js';

/** Runs every operation in a worker thread, whose root directory is the root that the operation works on. */
@injectable()
export class WorkerThreadArchive implements ArchiveDriver {
  constructor(
    @inject(ThreadPool) private readonly pool: ThreadPool,
    /** Starts the programs that expand bzip2, xz and zstd. */
    @inject(Launcher.token) private readonly launcher: Launcher,
  ) {}

  async extractLayer(
    source: LayerSource,
    directory: string,
    {
      whiteouts,
      lower = [],
      journal,
      hostOwners = false,
      expectedDiffId,
      maxBytes,
      onRead,
      signal,
    }: ExtractLayerOptions,
  ): Promise<ExtractedLayer> {
    const options = { ...(signal !== undefined && { signal }), ...(onRead !== undefined && { onRead }) };
    const { diffId = '', ...extracted } = await this.#extract(source, options, {
      root: directory,
      path: '/',
      whiteouts,
      lower,
      journal,
      owner: undefined,
      hostOwners,
      overlayAttributes: false,
      keepDirectories: false,
      maxBytes,
      hashed: true,
    });
    if (expectedDiffId !== undefined && diffId !== expectedDiffId) {
      throw invalidArgument(`the layer's digest is ${diffId}, but ${expectedDiffId} was expected`);
    }
    return { ...extracted, diffId };
  }

  async extract(
    source: LayerSource,
    root: ArchiveRoot,
    path: string,
    { owner, keepDirectories = false, exact = false, maxBytes, ...options }: ExtractOptions = {},
  ): Promise<ExtractedArchive> {
    const { size, tarSize, entries } = await this.#extract(source, options, {
      root,
      path,
      whiteouts: 'none',
      lower: [],
      journal: undefined,
      owner,
      hostOwners: exact,
      overlayAttributes: exact,
      keepDirectories,
      maxBytes,
      hashed: false,
    });
    return { size, tarSize, entries };
  }

  async expand(
    source: Readable,
    { signal, maxBytes }: ArchiveOptions & { readonly maxBytes?: number } = {},
  ): Promise<Readable> {
    const limit = new ExpansionLimit(maxBytes);
    source.on('error', () => undefined);
    try {
      const { input, compression, isExpanded } = await openSource({ stream: source }, this.launcher, limit);
      const read = (input?.chunks ?? []) as AsyncIterable<Buffer>;
      const pieces = isExpanded ? read : expand(read, compression, limit);
      const expanded = Readable.from(pieces, { objectMode: false, highWaterMark: 2 ** 20 });
      expanded.once('close', () => source.destroy());
      return signal === undefined ? expanded : addAbortSignal(signal, expanded);
    } catch (error) {
      source.destroy();
      throw error;
    }
  }

  layerTar(directory: string, journal: LayerJournal, options: ArchiveOptions = {}): Readable {
    return this.#stream('assemble', { directory, journal }, options);
  }

  packTree(root: ArchiveRoot, path: string, options: PackTreeOptions = {}): Readable {
    const { name, exact = false } = options;
    return this.#stream('pack', { root, path, name, exact }, options);
  }

  packSelection(root: ArchiveRoot, items: readonly SelectedPath[], options: ArchiveOptions = {}): Readable {
    return this.#stream('pack-selection', { root, items }, options);
  }

  packChanges(tree: ChangedTree, options: ArchiveOptions = {}): Readable {
    return this.#stream('pack-changes', tree, options);
  }

  listChanges(tree: ChangedTree, options: ArchiveOptions = {}): Promise<readonly PathChange[]> {
    return this.#run('changes', tree, options);
  }

  statInRoot(root: ArchiveRoot, path: string, options: ArchiveOptions = {}): Promise<PathStat> {
    return this.#run('stat', { root, path }, options);
  }

  resolveInRoot(root: ArchiveRoot, path: string, options: ArchiveOptions = {}): Promise<ResolvedPath> {
    return this.#run('resolve', { root, path }, options);
  }

  listTree(
    root: ArchiveRoot,
    path: string,
    { digests = false, ...options }: ArchiveOptions & { readonly digests?: boolean } = {},
  ): Promise<TreeListing> {
    return this.#run('list', { root, path, digests }, options);
  }

  treeSize(directory: string, { base, ...options }: ArchiveOptions & { readonly base?: string } = {}): Promise<number> {
    return this.#run('size', { directory, base }, options);
  }

  async removeTree(directory: string, options: ArchiveOptions = {}): Promise<void> {
    await this.#run('remove', { directory }, options);
  }

  async copyTree(from: string, to: string, options: ArchiveOptions = {}): Promise<void> {
    await this.#run('copy', { from, to }, options);
  }

  async #extract(
    source: LayerSource,
    { signal, onRead }: Pick<JobOptions, 'signal' | 'onRead'>,
    request: Omit<ExtractRequest, 'file' | 'compression'>,
  ): Promise<ExtractResult> {
    const stream = 'stream' in source ? source.stream : undefined;
    // Its reader gets the error; an error after the last read must not end the process.
    stream?.on('error', () => undefined);
    // Detecting the compression may wait for a slow client.
    const onAbort = (): void => void stream?.destroy(signal === undefined ? undefined : abortError(signal));
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      throwIfAborted(signal);
      const limit = new ExpansionLimit(request.maxBytes, onRead);
      const opened = await openSource(source, this.launcher, limit);
      const { file, compression, input } = opened;
      const options = {
        // What a program expands was counted before the program.
        ...(onRead !== undefined && !opened.isExpanded && { onRead }),
        ...(signal !== undefined && { signal }),
      };
      return await this.#run(
        'extract',
        { ...request, file, compression },
        { ...options, ...(input !== undefined && { input }) },
      );
    } catch (error) {
      throwIfAborted(signal);
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      stream?.destroy();
    }
  }

  #run<K extends JobKind>(kind: K, request: Jobs[K]['request'], options: JobOptions): Promise<Jobs[K]['result']> {
    return runJob(this.pool, kind, request, options);
  }

  #stream<K extends JobKind>(kind: K, request: Jobs[K]['request'], { signal }: ArchiveOptions): Readable {
    const stream = new JobStream((options) => this.#run(kind, request, options));
    return signal === undefined ? stream : addAbortSignal(signal, stream);
  }
}
