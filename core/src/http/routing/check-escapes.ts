import { invalidArgument } from '../../errors/engine-error.js';

/** Refuses broken escapes, which the router leaves as they are. @throws EngineError `invalid-argument`. */
export function checkEscapes(path: string): void {
  if (!path.includes('%')) return;
  for (const segment of path.split('/')) {
    try {
      decodeURIComponent(segment);
    } catch (cause) {
      throw invalidArgument(`invalid URL escape in "${segment}"`, { cause });
    }
  }
}
