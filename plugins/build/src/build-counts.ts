import { type DriverLifecycle, injectable, type Measurement, WorkCounter } from '@gantry/core/driver';

/** How many images were built, for `/metrics`. */
@injectable()
export class BuildCounts implements DriverLifecycle {
  readonly #builds = new WorkCounter('image_builds', 'builds of images');

  run<T>(build: () => Promise<T>): Promise<T> {
    return this.#builds.run(build);
  }

  measure(): readonly Measurement[] {
    return this.#builds.measure();
  }
}
