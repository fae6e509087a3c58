import { createEngine } from './create-engine.js';
import type { ReaperTask } from './reaper.js';
import { removeDirectory } from './remove-directory.js';

/**
 * Ends the containers of an engine whose program was killed, by an engine in its place. Where another program has created
 * one meanwhile, that has ended them.
 */
export async function endOrphanedEngine(
  options: ReaperTask['options'],
  { deletesDirectory }: Pick<ReaperTask, 'deletesDirectory'>,
): Promise<void> {
  const engine = await createEngine({ ...options, isWatched: false });
  await engine.close();
  if (deletesDirectory && options.directory !== undefined) await removeDirectory(options.directory);
}
