import { mkdir } from 'node:fs/promises';
import type { Detection, LargeFile, Rewrite, Source, SourceAuthor } from '@gantry/source-conversion';
import type { Conversion } from '../conversion.js';

export type FakeStep = 'detect' | 'convert' | 'authors' | 'large-files' | 'rewrite' | 'push';

/** A converter that converts nothing: it stops where a test wants, and says and fails what it wants. */
export class FakeConversion {
  detection: Detection = { status: 'found', vcs: 'git' };
  authors: readonly SourceAuthor[] = [
    { remoteId: 'hubot@source.example', remoteName: 'hubot', email: 'hubot@source.example', name: 'hubot', commits: 3 },
    { remoteId: 'moon', remoteName: 'moon', email: 'moon@uuid', name: 'moon', commits: 1 },
  ];
  largeFiles: readonly LargeFile[] = [];
  /** What each step throws, once. */
  readonly failures = new Map<FakeStep, Error>();
  /** What was asked, in order. */
  readonly sources: Source[] = [];
  /** What was trusted at the last question. */
  authorities: readonly string[] = [];
  readonly rewrites: Rewrite[] = [];
  readonly steps: FakeStep[] = [];
  /** Steps take no notice of being aborted. */
  isDeaf = false;
  /** How many were in a step at a time, at most. */
  most = 0;
  #now = 0;
  readonly #gates = new Map<FakeStep, { open: () => void; passed: Promise<void> }>();

  /** From now on the step waits. @returns lets it go on. */
  hold(step: FakeStep): () => void {
    let open: () => void = () => undefined;
    const passed = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.#gates.set(step, { open, passed });
    return () => {
      this.#gates.delete(step);
      open();
    };
  }

  readonly conversion: Conversion = {
    detectSource: async (source, { signal, authorities = [] }) => {
      this.authorities = authorities;
      this.sources.push(source);
      await this.#pass('detect', signal);
      return this.detection;
    },
    convertSource: async (source, { signal, onProgress, repository }) => {
      this.sources.push(source);
      await mkdir(repository, { recursive: true });
      onProgress?.({ commitCount: 40, percent: 10.7 });
      await this.#pass('convert', signal);
      onProgress?.({ commitCount: 40, percent: 100 });
    },
    authorsOf: async (_repository, { signal }) => {
      await this.#pass('authors', signal);
      return this.authors;
    },
    largeFilesOf: async (_repository, _limit, { signal }) => {
      await this.#pass('large-files', signal);
      return this.largeFiles;
    },
    rewriteRepository: async (_repository, rewrite, { signal }) => {
      this.rewrites.push(rewrite);
      await this.#pass('rewrite', signal);
    },
    pushRepository: async (_repository, _target, { signal, onProgress }) => {
      onProgress?.(37);
      await this.#pass('push', signal);
    },
    tidyScratch: async () => undefined,
  };

  async #pass(step: FakeStep, signal: AbortSignal | undefined): Promise<void> {
    this.steps.push(step);
    this.#now += 1;
    this.most = Math.max(this.most, this.#now);
    try {
      const failure = this.failures.get(step);
      this.failures.delete(step);
      if (failure !== undefined) throw failure;
      const passed = this.#gates.get(step)?.passed;
      await (this.isDeaf ? passed : Promise.race([passed, aborted(signal)]));
      signal?.throwIfAborted();
    } finally {
      this.#now -= 1;
    }
  }
}

/** Never settles without an abort. */
const aborted = (signal: AbortSignal | undefined): Promise<never> | undefined =>
  signal === undefined
    ? undefined
    : new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
