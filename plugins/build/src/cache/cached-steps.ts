import { type Collection, type StateDriver, StateDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, Logger } from '@gantry/core/driver';
import { UnneededImages } from '@gantry/images/service';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { CacheFacts } from '../contract/cache-facts.js';

const recordSchema = Type.Object({
  /** The step, as the history of the image has it. */
  description: Type.String(),
  created: Type.Number(),
});
type StepRecord = Static<typeof recordSchema>;

/**
 * The images that steps made, of which those that no image with a name and no container needs are a cache. That an image
 * came from a step is written behind the build: what a crash loses is an image without a name, for the prune of images.
 */
@injectable()
export class CachedSteps {
  readonly #records: Collection<StepRecord>;
  /** Since the daemon has started. */
  readonly #used = new Map<string, number>();
  /** When the builds that run now began. */
  readonly #builds = new Set<{ readonly since: number }>();

  constructor(
    @inject(StateDrivers.token) states: DriverSet<StateDriver>,
    @inject(UnneededImages.token) private readonly images: UnneededImages,
    @inject(Logger) private readonly log: Logger,
  ) {
    this.#records = states.get().collection<StepRecord>({
      name: 'build-steps',
      version: 1,
      parse: (value) => Value.Decode(recordSchema, value),
    });
  }

  /** Keeps what a build makes and uses until the build has ended. @returns that it has. */
  begin(): () => void {
    const build = { since: Date.now() };
    this.#builds.add(build);
    return () => this.#builds.delete(build);
  }

  add(imageId: string, description: string): void {
    const created = Date.now();
    this.#used.set(imageId, created);
    this.#records.put(imageId, { description, created }).catch((err: unknown) => {
      this.log.warn({ event: 'build.step-not-recorded', image: imageId, err }, 'failed to record the step of an image');
    });
  }

  use(imageId: string): void {
    this.#used.set(imageId, Date.now());
  }

  async list(): Promise<readonly CacheFacts[]> {
    const oldest = Math.min(...[...this.#builds].map(({ since }) => since));
    return [...this.#records.entries()].flatMap(([imageId, { description, created }]): CacheFacts[] => {
      if (!this.images.has(imageId)) return [];
      const used = this.#used.get(imageId) ?? created;
      const times = { created: new Date(created), lastUsed: new Date(used) };
      const size = this.images.addedSize(imageId);
      return [{ id: idOf(imageId), type: 'regular', description, size, ...times, isInUse: used >= oldest }];
    });
  }

  /** Removes one that no other is made on top of. Resolves to whether it is removed. */
  async remove(id: string): Promise<boolean> {
    const imageId = `sha256:${id}`;
    if (!(await this.images.remove(imageId))) return false;
    this.#used.delete(imageId);
    await this.#records.delete(imageId);
    return true;
  }

  /** Deletes the records of images that are gone. */
  async forget(): Promise<void> {
    const gone = [...this.#records.entries()].filter(([imageId]) => !this.images.exists(imageId));
    for (const [imageId] of gone) {
      this.#used.delete(imageId);
      await this.#records.delete(imageId);
    }
  }
}

const idOf = (imageId: string): string => imageId.replace(/^sha256:/, '');
