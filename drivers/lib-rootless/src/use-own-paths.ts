import { homedir } from 'node:os';
import { enginePaths } from './engine-paths.js';
import { MissingRequirement } from './missing-requirement.js';

/** For commands that need no namespaces: they look where the launcher has the user's engine put its files. */
export function useOwnPaths(argv: readonly string[]): void {
  try {
    Object.assign(process.env, enginePaths(argv, process.env, homedir()).defaults);
  } catch (error) {
    // Without a directory for it there is no engine of the user's either.
    if (!(error instanceof MissingRequirement)) throw error;
  }
}
