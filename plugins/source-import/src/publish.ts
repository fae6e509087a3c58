import { KeyedMutex } from '@gantry/core/driver';
import { publishRefs, stagingOf, tidyRepository } from '@gantry/git-hosting';
import type { Conversion } from './conversion.js';
import type { Directories } from './runs/directories.js';
import type { StepParts } from './runs/steps.js';
import type { Repositories } from './store/repositories.js';

/** Makes what was converted what clients read. One at a time for each repository: a cancelled push may still be ending. */
export function publisher(
  conversion: Conversion,
  directories: Directories,
  repositories: Repositories,
): StepParts['publish'] {
  const pushes = new KeyedMutex();
  return (record, onProgress, signal) =>
    pushes.run(String(record.repositoryId), async () => {
      signal.throwIfAborted();
      const { converted, scratch } = directories.import(record.id);
      const target = await directories.madeRepository(record.repositoryId);
      // What a push left that was killed with the daemon would stand in the way.
      await tidyRepository(target, { signal });
      const staging = await stagingOf(target, { signal });
      await conversion.pushRepository(converted, staging, { scratch, signal, onProgress });
      await publishRefs(target, { signal });
      await repositories.change(record.repositoryId, { pushedAt: Date.now() });
    });
}
