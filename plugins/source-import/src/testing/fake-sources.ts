import { mkdir } from 'node:fs/promises';
import {
  type SourceContext,
  type SourceDetection,
  type SourceDriver,
  SourceDrivers,
  type SourceProject,
  type SourceRepository,
} from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { definePlugin } from '@gantry/core/plugin';
import { ConvertedRepositories, type LargeFile, type Rewrite, type SourceAuthor } from '@gantry/lib-source';
import { Type } from '@sinclair/typebox';

type FakeStep = 'detect' | 'convert' | 'authors' | 'large-files' | 'rewrite' | 'push';

/** The result of a detection, with the id of the driver that finds it. */
type FakeDetection =
  | { readonly status: 'found'; readonly vcs: string; readonly project?: string }
  | { readonly status: 'found-multiple'; readonly vcs: string; readonly choices: readonly SourceProject[] }
  | Extract<SourceDetection, { readonly status: 'found-nothing' | 'needs-auth' }>;

const ids = { git: 'none', mercurial: 'none', subversion: 'folders', tfvc: 'names' } as const;

/** Source drivers and converted repositories without content: steps wait, fail and succeed as a test configures. */
export class FakeSources {
  detection: FakeDetection = { status: 'found', vcs: 'git' };
  authors: readonly SourceAuthor[] = [
    { remoteId: 'hubot@source.example', remoteName: 'hubot', email: 'hubot@source.example', name: 'hubot', commits: 3 },
    { remoteId: 'moon', remoteName: 'moon', email: 'moon@uuid', name: 'moon', commits: 1 },
  ];
  largeFiles: readonly LargeFile[] = [];
  /** The error of a step's next call. */
  readonly failures = new Map<FakeStep, Error>();
  /** The sources of all calls, in order. */
  readonly sources: SourceRepository[] = [];
  /** The authorities of the last detection. */
  authorities: readonly string[] = [];
  readonly rewrites: Rewrite[] = [];
  readonly steps: FakeStep[] = [];
  /** Makes steps ignore their signals. */
  ignoresAborts = false;
  /** The largest number of concurrent steps. */
  maxConcurrent = 0;
  #concurrent = 0;
  readonly #held = new Map<FakeStep, { open: () => void; passed: Promise<void> }>();

  /** Makes a step wait. @returns releases it. */
  hold(step: FakeStep): () => void {
    let open: () => void = () => undefined;
    const passed = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.#held.set(step, { open, passed });
    return () => {
      this.#held.delete(step);
      open();
    };
  }

  /** Definitions for the kernel. */
  get packages() {
    return [...Object.keys(ids).map((id) => this.#definition(id as keyof typeof ids)), this.#repositories];
  }

  #definition(id: keyof typeof ids) {
    const driver: SourceDriver = {
      capabilities: { schemes: ['git:', 'http:', 'https:', 'svn:', 'file:'], projects: ids[id] },
      detect: (source, context) => this.#detect(id, source, context),
      convert: async (source, { signal, onProgress, repository }) => {
        this.sources.push(source);
        await mkdir(repository, { recursive: true });
        onProgress?.({ commitCount: 40, percent: 10.7 });
        await this.#pass('convert', signal);
        onProgress?.({ commitCount: 40, percent: 100 });
      },
    };
    return defineDriver({ id, provides: SourceDrivers, configSchema: Type.Object({}), create: () => driver });
  }

  async #detect(id: string, source: SourceRepository, context: SourceContext): Promise<SourceDetection> {
    this.authorities = context.authorities ?? [];
    this.sources.push(source);
    await this.#pass('detect', context.signal);
    const { detection } = this;
    if (!('vcs' in detection)) return detection;
    if (detection.vcs !== id) return { status: 'found-nothing', reason: `no ${id} repository` };
    const { vcs, ...found } = detection;
    return found;
  }

  readonly #repositories = definePlugin({
    id: 'fake-repositories',
    provides: [ConvertedRepositories],
    configSchema: Type.Object({}),
    setup: ({ container }) => {
      const repositories: ConvertedRepositories = {
        authors: async (_repository, { signal }) => {
          await this.#pass('authors', signal);
          return this.authors;
        },
        largeFiles: async (_repository, _limit, { signal }) => {
          await this.#pass('large-files', signal);
          return this.largeFiles;
        },
        rewrite: async (_repository, rewrite, { signal }) => {
          this.rewrites.push(rewrite);
          await this.#pass('rewrite', signal);
        },
        push: async (_repository, _target, { signal, onProgress }) => {
          onProgress?.(37);
          await this.#pass('push', signal);
        },
        removeOrphans: async () => undefined,
      };
      const token = Symbol('fake repositories');
      container.registerValue(token, repositories);
      container.provide(ConvertedRepositories, token);
    },
  });

  async #pass(step: FakeStep, signal: AbortSignal | undefined): Promise<void> {
    this.steps.push(step);
    this.#concurrent += 1;
    this.maxConcurrent = Math.max(this.maxConcurrent, this.#concurrent);
    try {
      const failure = this.failures.get(step);
      this.failures.delete(step);
      if (failure !== undefined) throw failure;
      const passed = this.#held.get(step)?.passed;
      await (this.ignoresAborts ? passed : Promise.race([passed, rejectOnAbort(signal)]));
      signal?.throwIfAborted();
    } finally {
      this.#concurrent -= 1;
    }
  }
}

/** Never settles without an abort. */
const rejectOnAbort = (signal: AbortSignal | undefined): Promise<never> | undefined =>
  signal === undefined
    ? undefined
    : new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
