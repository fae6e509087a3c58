import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { invalidArgument, unavailable } from '@gantry/core/errors';
import { abortable, Config, inject, injectable, PackageDirectories, Semaphore } from '@gantry/core/plugin';
import type { RegistryConfig } from '../config.js';
import { isDigest } from '../remote/manifest.js';
import type { RetryPolicy } from '../transport/retry.js';
import { type DownloadListener, type DownloadRequest, download } from './download.js';

type DownloadLimits = Pick<
  RegistryConfig,
  'maxConcurrentDownloads' | 'attempts' | 'retryDelayMilliseconds' | 'keepPartialBytes' | 'keepPartialHours'
>;

/** A blob in a file, deleted when its last holder releases it. */
export interface HeldBlob {
  readonly file: string;
  /** `used` says that the content is not needed again; else it is kept for another try, within bounds. */
  release(used: boolean): Promise<void>;
}

interface Download {
  readonly listeners: Set<DownloadListener>;
  readonly stop: AbortController;
  readonly done: Promise<string>;
  users: number;
  /** For a place among those that download. */
  isWaiting(): boolean;
}

/**
 * Blobs on their way here, in files that outlive the daemon. Two who want one blob share one download, which is given
 * up when both have left.
 */
@injectable()
export class Downloads {
  readonly #active = new Map<string, Download>();
  readonly #holds = new Map<string, number>();
  /** Files that are being removed: a file that is still seen then is as good as gone. */
  readonly #removals = new Map<string, Promise<void>>();
  #isClosed = false;

  readonly #directory: string;
  readonly #slots: Semaphore;
  readonly #retry: RetryPolicy;
  /** Bytes and milliseconds of what is kept for another try. */
  readonly #keep: { readonly bytes: number; readonly age: number };

  constructor(
    @inject(PackageDirectories) { root }: Pick<PackageDirectories, 'root'>,
    @inject(Config) config: DownloadLimits,
  ) {
    this.#directory = path.join(root, 'blobs');
    this.#slots = new Semaphore(config.maxConcurrentDownloads);
    this.#retry = { attempts: config.attempts, delay: config.retryDelayMilliseconds };
    this.#keep = { bytes: config.keepPartialBytes, age: config.keepPartialHours * 3_600_000 };
  }

  /** Resolves when the blob is here and verified. */
  async get(request: DownloadRequest, listener: DownloadListener, signal: AbortSignal): Promise<HeldBlob> {
    const { digest } = request.blob;
    if (!isDigest(digest)) throw invalidArgument(`unsupported digest ${digest}: only sha256 can be checked`);
    for (;;) {
      signal.throwIfAborted();
      if (this.#isClosed) throw unavailable('no downloads any more: the daemon is stopping');
      const known = this.#active.get(digest);
      const current = known ?? this.#start(request);
      try {
        const file = await this.#join(current, listener, signal);
        return this.#hold(file);
      } catch (error) {
        // Another's credentials or registry failing says nothing about ours.
        if (known === undefined || signal.aborted) throw error;
      }
    }
  }

  /** Removes blobs that are not wanted again: an earlier daemon may have left them. */
  async discard(digests: readonly string[]): Promise<void> {
    const files = digests.filter(isDigest).map((digest) => this.#fileOf(digest));
    await Promise.all(files.map((file) => (this.#isInUse(file) ? undefined : this.#remove(file))));
  }

  /** Removes what is left of old downloads, the oldest first. */
  async collect(): Promise<void> {
    const directory = this.#directory;
    const keep = this.#keep;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const names = await readdir(directory);
    const found = await Promise.all(
      names.map(async (name) => {
        const file = path.join(directory, name);
        const { size, mtimeMs } = await stat(file).catch(() => ({ size: 0, mtimeMs: 0 }));
        return { file, size, mtimeMs };
      }),
    );
    let kept = 0;
    for (const { file, size, mtimeMs } of found.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
      if (this.#isInUse(file)) continue;
      kept += size;
      if (kept > keep.bytes || Date.now() - mtimeMs > keep.age) {
        kept -= size;
        await this.#remove(file);
      }
    }
  }

  /** Gives up what is on its way. Resolves when nothing writes to the directory any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const active = [...this.#active.values()];
    for (const { stop } of active) stop.abort();
    await Promise.allSettled(active.map(({ done }) => done));
  }

  #start(request: DownloadRequest): Download {
    const { digest } = request.blob;
    const stop = new AbortController();
    const listeners = new Set<DownloadListener>();
    const all: DownloadListener = {
      bytes: (current) => {
        for (const each of listeners) each.bytes?.(current);
      },
      retrying: (seconds) => {
        for (const each of listeners) each.retrying?.(seconds);
      },
      verifying: () => {
        for (const each of listeners) each.verifying?.();
      },
    };
    let isWaiting = this.#slots.isExhausted;
    const run = async (): Promise<string> => {
      const file = this.#fileOf(digest);
      const release = await this.#slots.acquire({ signal: stop.signal });
      isWaiting = false;
      try {
        await this.#removalsOf(file);
        const there = await stat(file).catch(() => undefined);
        if (there?.size !== request.blob.size) await download(request, file, this.#retry, all, stop.signal);
        return file;
      } finally {
        release();
      }
    };
    const started: Download = { listeners, stop, users: 0, isWaiting: () => isWaiting, done: run() };
    this.#active.set(digest, started);
    const over = (): void => {
      if (this.#active.get(digest) === started) this.#active.delete(digest);
    };
    started.done.then(over, over);
    return started;
  }

  async #join(current: Download, listener: DownloadListener, signal: AbortSignal): Promise<string> {
    current.users += 1;
    current.listeners.add(listener);
    if (current.isWaiting()) listener.waiting?.();
    try {
      return await abortable(current.done, signal);
    } finally {
      current.listeners.delete(listener);
      current.users -= 1;
      // Who joins one that is being given up waits for its end, and then starts anew.
      if (current.users === 0) current.stop.abort();
    }
  }

  #hold(file: string): HeldBlob {
    this.#holds.set(file, (this.#holds.get(file) ?? 0) + 1);
    let held = true;
    return {
      file,
      release: async (used) => {
        if (!held) return;
        held = false;
        const left = (this.#holds.get(file) ?? 1) - 1;
        if (left > 0) this.#holds.set(file, left);
        else this.#holds.delete(file);
        if (left <= 0 && used && !this.#isInUse(file)) await this.#remove(file);
      },
    };
  }

  #remove(file: string): Promise<void> {
    const gone = rm(file, { recursive: true, force: true }).finally(() => this.#removals.delete(file));
    this.#removals.set(file, gone);
    return gone;
  }

  /** Resolves when nothing of a blob is being removed any more. */
  async #removalsOf(file: string): Promise<void> {
    await Promise.allSettled(
      [...this.#removals].map(([removed, gone]) => (removed.startsWith(file) ? gone : undefined)),
    );
  }

  #isInUse(file: string): boolean {
    if (this.#holds.has(file)) return true;
    return [...this.#active.keys()].some((digest) => file.startsWith(this.#fileOf(digest)));
  }

  #fileOf(digest: string): string {
    return path.join(this.#directory, digest.replace(/^sha256:/, ''));
  }
}
