import type { StepJudge } from '@gantry/containers/service';
import type { CacheSources } from '../cache/cache-sources.js';
import type { BuildContext } from '../context/build-context.js';
import type { ImageRoot } from '../images/image-roots.js';
import type { BuildArguments } from '../stage/build-arguments.js';
import type { StageState } from '../stage/stage-state.js';
import type { BuildOutput } from './build-output.js';
import type { BuildRequest } from './build-request.js';

/** What the steps of one build share. */
export class BuildSession {
  /** Mounted images that files are copied from. */
  readonly #roots = new Map<string, Promise<ImageRoot>>();
  /** Work that only `release` waits for. */
  readonly #background: Promise<void>[] = [];
  /** Completed stages, in order. */
  readonly stages: { readonly name: string | undefined; readonly state: StageState }[] = [];
  /** Whether the id of each step's image is printed; not for ONBUILD triggers. */
  printsImages = true;
  /** Length of the history that the steps made so far. */
  historyLength = 0;

  constructor(
    readonly request: BuildRequest,
    readonly context: BuildContext,
    readonly args: BuildArguments,
    readonly cacheSources: CacheSources,
    readonly output: BuildOutput,
    readonly escapeMark: string,
    readonly signal: AbortSignal,
    /** Judges the container of each step, as it would run. */
    readonly judge: StepJudge,
  ) {}

  /** The root of an image, mounted once per build. */
  root(imageId: string, open: () => Promise<ImageRoot>): Promise<ImageRoot> {
    const root = this.#roots.get(imageId) ?? open();
    this.#roots.set(imageId, root);
    return root;
  }

  /** Adds work that must end before the build does. It must not reject. */
  runInBackground(work: Promise<void>): void {
    this.#background.push(work);
  }

  /** Releases everything that steps hold. Never rejects. Idempotent. */
  async release(): Promise<void> {
    this.cacheSources.release();
    const roots = await Promise.allSettled(this.#roots.values());
    this.#roots.clear();
    await Promise.all([
      ...this.#background.splice(0),
      ...roots.map((root) => (root.status === 'fulfilled' ? root.value.release() : undefined)),
    ]);
  }
}
