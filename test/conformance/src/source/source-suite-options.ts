import type { SuiteOptions } from '../suite.js';
import type { SourceFixture } from './source-fixture.js';

export type CreateSource = (directory: string) => Promise<SourceFixture>;

export interface SourceSuiteOptions extends SuiteOptions {
  /** Creates a repository with at least one commit in a directory of the check's own. Without it nothing is imported. */
  readonly createSource?: CreateSource;
  /** How long a call may take after its abort: 2000 ms by default. */
  readonly abortWithinMs?: number;
}
