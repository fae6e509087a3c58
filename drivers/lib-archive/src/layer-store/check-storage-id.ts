import { invalidArgument } from '@gantry/core/errors';

const pattern = /^[a-z0-9][a-z0-9_-]{0,127}$/;

/** Ids become names of directories. @throws EngineError `invalid-argument`. */
export function checkStorageId(id: string): void {
  if (!pattern.test(id)) throw invalidArgument(`"${id}" is not a storage id: [a-z0-9][a-z0-9_-]{0,127}`);
}
