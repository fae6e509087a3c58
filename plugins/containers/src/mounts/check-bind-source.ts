import { stat } from 'node:fs/promises';
import { invalidArgument } from '@gantry/core/errors';
import type { MountPoint } from '../record.js';

/** @throws EngineError `invalid-argument` for a mount that requires its source, which is absent. */
export async function checkBindSource({
  source,
  sourceMustExist,
}: Pick<MountPoint, 'source' | 'sourceMustExist'>): Promise<void> {
  if (sourceMustExist !== true) return;
  await stat(source).catch((cause: unknown) => {
    throw invalidArgument(`invalid mount config for type "bind": bind source path does not exist: ${source}`, {
      cause,
    });
  });
}
