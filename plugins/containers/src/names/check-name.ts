import { invalidArgument } from '@gantry/core/errors';

/** The specification's pattern, and dots inside, which task names have. */
const pattern = /^[a-zA-Z0-9_-][a-zA-Z0-9_.-]*$/;

/** @returns the name without its slash. @throws EngineError `invalid-argument`. */
export function checkName(name: string): string {
  const bare = name.startsWith('/') ? name.slice(1) : name;
  if (!pattern.test(bare)) {
    throw invalidArgument(`Invalid container name (${name}), only [a-zA-Z0-9][a-zA-Z0-9_.-] are allowed`);
  }
  return bare;
}
