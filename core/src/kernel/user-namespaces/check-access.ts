import { stat } from 'node:fs/promises';
import path from 'node:path';
import { hostRoot, type IdMappings } from '../../contracts/id-mappings.js';
import { unavailable } from '../../errors/engine-error.js';

/**
 * Root of a remapped container is another user on the host, and has to reach the root file systems.
 * @throws EngineError `unavailable` naming the directory above the data root that this user may not search.
 */
export async function checkAccess(dataRoot: string, mappings: IdMappings): Promise<void> {
  const { uid, gid } = hostRoot(mappings);
  for (let directory = path.resolve(dataRoot); ; directory = path.dirname(directory)) {
    const status = await stat(directory).catch(() => undefined);
    if (status !== undefined) {
      const search = status.uid === uid ? 0o100 : status.gid === gid ? 0o010 : 0o001;
      if ((status.mode & search) === 0) {
        throw unavailable(
          `usernsRemap: user ${uid}, root of remapped containers, may not search ${directory}; ` +
            `allow it with "chmod o+x ${directory}", or choose another --data-root`,
        );
      }
    }
    if (directory === path.dirname(directory)) return;
  }
}
