import { chmod, chown } from 'node:fs/promises';
import { areRemapped, hostRoot, type IdMappings } from '@gantry/core/contracts';

/** Lets the root of containers pass a private directory of the engine, on the way to a file system or a file of theirs. */
export async function makeSearchable(directory: string, mappings: IdMappings): Promise<void> {
  if (!areRemapped(mappings)) return;
  await chown(directory, 0, hostRoot(mappings).gid);
  await chmod(directory, 0o710);
}
