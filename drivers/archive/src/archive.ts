import { availableParallelism } from 'node:os';
import { addAbortSignal, Readable } from 'node:stream';
import type { LayerSource, PathChange } from '@gantry/core/contracts';
import { internal } from '@gantry/core/errors';
import { type Launcher, SpawnLauncher } from '@gantry/lib-linux/launcher';
import { releaseMemory } from '@gantry/lib-linux/processes';
import { expand } from './compression/expand.js';
import { ExpansionLimit } from './compression/expansion-limit.js';
import { openSource } from './compression/open-source.js';
import type { ExtractLayerOptions, ExtractOptions, LayerJournal, Waiting } from './options.js';
import { abortError, throwIfAborted } from './pool/abort.js';
import { JobStream } from './pool/job-stream.js';
import type { JobKind, Jobs } from './pool/jobs.js';
import type {
  ExtractRequest,
  ExtractResult,
  LayersRequest,
  PathStat,
  ResolvedPath,
  Root,
  SelectedPath,
  TreeListing,
  TreesRequest,
} from './pool/requests.js';
import { type JobOptions, runJob } from './pool/run-job.js';
import { readingLent } from './pool/socket-progress.js';
import { ThreadPool } from './pool/thread-pool.js';
import { badArchive } from './tar/bad-archive.js';

export interface ArchiveOptions {
  /** Starts the programs that expand bzip2, xz and zstd; one of its own by default. */
  readonly launcher?: Launcher;
  /** How long a thread without work is kept, in ms; 10 s by default. */
  readonly idle?: number;
  /** How long a client may hold a place that others wait for without sending or reading, in ms; 30 s by default. */
  readonly patience?: number;
}

/**
 * Reads and writes tar archives and works on whole trees, on threads of its own. Nothing an archive says makes a path
 * leave the directory it is extracted to: the thread's root is that directory. Everything rejects AbortError at abort,
 * after the thread has let go of the files; EngineError otherwise.
 */
export class Archive {
  readonly #pool: ThreadPool;
  readonly #launcher: Launcher;

  constructor({ launcher = new SpawnLauncher(), idle = 10_000, patience = 30_000 }: ArchiveOptions = {}) {
    this.#launcher = launcher;
    const local = Math.min(3, Math.max(2, availableParallelism()));
    const onQuiet = (): void => void releaseMemory();
    this.#pool = new ThreadPool({ limits: { local, stream: 16 }, idle, patience, onQuiet });
  }

  /**
   * Extracts an image layer to a directory, which exists and is empty (or holds the parent's tree, with whiteouts
   * applied). On rejection what was extracted so far is left, the caller's to remove. A stream is consumed or destroyed
   * in every case. Nothing is flushed to the disk but the journal.
   */
  async extractLayer(
    source: LayerSource,
    directory: string,
    { whiteouts, lower = [], journal, expectedDiffId, maxBytes, onRead, signal }: ExtractLayerOptions,
  ): Promise<ExtractResult & { readonly diffId: string }> {
    const waiting = { ...(signal !== undefined && { signal }), ...(onRead !== undefined && { onRead }) };
    const result = await this.#extract(source, waiting, {
      root: directory,
      path: '/',
      whiteouts,
      lower,
      journal,
      owner: undefined,
      keepDirectories: false,
      maxBytes,
      hashed: true,
    });
    const { diffId } = result;
    if (diffId === undefined) throw internal('a layer was extracted without its digest');
    if (expectedDiffId !== undefined && diffId !== expectedDiffId) {
      throw badArchive(`the layer's digest is ${diffId}, but ${expectedDiffId} was expected`);
    }
    return { ...result, diffId };
  }

  /**
   * Extracts an archive below a directory inside a root. Rejects `not-found` without that directory,
   * `invalid-argument` when it is not one, `forbidden` when it is read-only. As `docker cp` has it, an entry for the directory itself changes nothing.
   */
  extract(
    source: LayerSource,
    root: Root,
    path: string,
    { owner, keepDirectories = false, maxBytes, ...waiting }: ExtractOptions = {},
  ): Promise<ExtractResult> {
    const options = { root, path, owner, keepDirectories, maxBytes };
    const plain = { whiteouts: 'none', lower: [], journal: undefined, hashed: false } as const;
    return this.#extract(source, waiting, { ...options, ...plain });
  }

  /**
   * Data without its compression, found out from how it begins. The caller owns the result, and the source goes with
   * it. The result fails with `invalid-argument` for damaged data, and for data that expands beyond all measure.
   */
  async expand(
    source: Readable,
    { signal, maxBytes }: Waiting & { readonly maxBytes?: number } = {},
  ): Promise<Readable> {
    const limit = new ExpansionLimit(maxBytes);
    source.on('error', () => undefined);
    try {
      const { input, compression, isExpanded } = await openSource({ stream: source }, this.#launcher, limit, {
        mayBorrow: false,
        signal,
      });
      const read = input as AsyncIterable<Buffer>;
      const pieces = isExpanded ? read : expand(read, compression, limit);
      const expanded = Readable.from(pieces, { objectMode: false, highWaterMark: 2 ** 20 });
      expanded.once('close', () => source.destroy());
      return signal === undefined ? expanded : addAbortSignal(signal, expanded);
    } catch (error) {
      source.destroy();
      throw error;
    }
  }

  /** The exact archive `extractLayer` read, from the directory it made, which must be unchanged, and the journal. */
  layerTar(directory: string, journal: LayerJournal, options: Waiting = {}): Readable {
    return this.#stream('assemble', { directory, journal: journal.file, payloads: journal.payloads }, options.signal);
  }

  /** The upper directory of an overlay as an image layer, entries in the order of their names' bytes. */
  packUpper(layers: LayersRequest, options: Waiting = {}): Readable {
    return this.#stream('pack-upper', layers, options.signal);
  }

  /** What the upper directory of an overlay changes, in the order of the paths' bytes. */
  upperChanges(layers: LayersRequest, options: Waiting = {}): Promise<readonly PathChange[]> {
    return this.#run('upper-changes', layers, { lane: 'local', ...options });
  }

  /** What a tree has otherwise than the one it was copied from, as an image layer. */
  packDifference(trees: TreesRequest, options: Waiting = {}): Readable {
    return this.#stream('pack-difference', trees, options.signal);
  }

  treeChanges(trees: TreesRequest, options: Waiting = {}): Promise<readonly PathChange[]> {
    return this.#run('tree-changes', trees, { lane: 'local', ...options });
  }

  /** Bytes of the files that a tree has otherwise than the one it was copied from. */
  treeGrowth(trees: TreesRequest, options: Waiting = {}): Promise<number> {
    return this.#run('tree-growth', trees, { lane: 'local', ...options });
  }

  /**
   * What is at a path inside a root, a directory with its content, under `name` instead of the path's last part; an
   * empty `name` is for the content alone, and `/` makes all names absolute. Links on the way are followed inside the root; one at the end only when a
   * slash comes behind it, and then it must be a directory. The stream fails with `not-found`, `invalid-argument`.
   */
  packTree(root: Root, path: string, options: Waiting & { readonly name?: string } = {}): Readable {
    return this.#stream('pack', { root, path, name: options.name }, options.signal);
  }

  /** What is at a path inside a root; links as in `packTree`. Rejects `not-found`, `invalid-argument`. */
  statInRoot(root: Root, path: string, options: Waiting = {}): Promise<PathStat> {
    return this.#run('stat', { root, path }, { lane: 'local', ...options });
  }

  /** What is at several paths inside a root, in one archive. The stream fails as that of `packTree`. */
  packSelection(root: Root, items: readonly SelectedPath[], options: Waiting = {}): Readable {
    return this.#stream('pack-selection', { root, items }, options.signal);
  }

  /** Where a path leads inside a root, all links followed, also when nothing is there. */
  resolveInRoot(root: Root, path: string, options: Waiting = {}): Promise<ResolvedPath> {
    return this.#run('resolve', { root, path }, { lane: 'local', ...options });
  }

  /** What is at a path inside a root with everything below it; links as in `resolveInRoot`, those below not followed. */
  listTree(root: Root, path: string, options: Waiting & { readonly digests?: boolean } = {}): Promise<TreeListing> {
    const { digests = false, ...waiting } = options;
    return this.#run('list', { root, path, digests }, { lane: 'local', ...waiting });
  }

  /** Bytes of all files in a directory, as their sizes say, those with several names once. */
  treeSize(directory: string, options: Waiting = {}): Promise<number> {
    return this.#run('size', { directory }, { lane: 'local', ...options });
  }

  /** Removes a directory with everything in it, however deep. Absent: resolves. */
  async removeTree(directory: string, options: Waiting = {}): Promise<void> {
    await this.#run('remove', { directory }, { lane: 'local', ...options });
  }

  /** Copies all of a directory, with everything about it, to another one that exists and is empty. */
  async copyTree(from: string, to: string, options: Waiting = {}): Promise<void> {
    await this.#run('copy', { from, to }, { lane: 'local', ...options });
  }

  /** Ends the threads; what they do rejects. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  async #extract(
    source: LayerSource,
    { signal, onRead }: Pick<JobOptions, 'signal' | 'onRead'>,
    request: Omit<ExtractRequest, 'file' | 'socket' | 'compression'>,
  ): Promise<ExtractResult> {
    const stream = 'stream' in source ? source.stream : undefined;
    // Its failure is told to whoever reads it; when nobody does any more, it must not end the process.
    stream?.on('error', () => undefined);
    // It may be slow in telling what it is.
    const onAbort = (): void => void stream?.destroy(signal === undefined ? undefined : abortError(signal));
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      throwIfAborted(signal);
      const limit = new ExpansionLimit(request.maxBytes, onRead);
      const opened = await openSource(source, this.#launcher, limit, { mayBorrow: true, signal });
      const { file, compression, input, lent } = opened;
      const options = {
        // What a program expands was counted in front of the program.
        ...(onRead !== undefined && !opened.isExpanded && { onRead }),
        ...(signal !== undefined && { signal }),
      };
      if (lent !== undefined) {
        return await readingLent(lent, (source, progress) =>
          this.#run(
            'extract',
            { ...request, file, compression, socket: source },
            { ...options, lane: 'stream', socket: progress },
          ),
        );
      }
      return await this.#run(
        'extract',
        { ...request, file, compression, socket: undefined },
        { ...options, lane: input === undefined ? 'local' : 'stream', ...(input !== undefined && { input }) },
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
    return runJob(this.#pool, kind, request, options);
  }

  #stream<K extends JobKind>(kind: K, request: Jobs[K]['request'], signal: AbortSignal | undefined): Readable {
    const stream = new JobStream((options) => this.#run(kind, request, { lane: 'stream', ...options }));
    return signal === undefined ? stream : addAbortSignal(signal, stream);
  }
}
