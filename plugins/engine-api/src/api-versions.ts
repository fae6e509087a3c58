import { injectable } from '@gantry/core/driver';
import type { VersionRange } from '@gantry/core/http';

/** The version that the areas speak. */
export const newestVersion = '1.51';

const newestOnly: VersionRange = { min: newestVersion, max: newestVersion };

/** The versions that clients may speak: the newest, or a range that a plugin adapts to it. */
@injectable()
export class ApiVersions implements VersionRange {
  #range = newestOnly;

  get min(): string {
    return this.#range.min;
  }

  get max(): string {
    return this.#range.max;
  }

  get unversioned(): string {
    return this.#range.unversioned ?? this.#range.max;
  }

  /** @returns restricts clients to the newest version again. */
  extend(range: VersionRange): () => void {
    this.#range = range;
    return () => {
      this.#range = newestOnly;
    };
  }
}
