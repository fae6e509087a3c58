import { notImplemented } from '@gantry/core/errors';
import type { ControlSolveRequest } from '../protocol/messages.js';

/** Images that the build may take steps from. @throws EngineError `not-implemented` for a cache of another kind. */
export function cacheSourcesOf({ Cache: cache }: ControlSolveRequest): readonly string[] {
  const imports = cache?.Imports ?? [];
  const names = imports.map(({ Type, Attrs }) => {
    if (Type === 'registry' && Attrs['ref'] !== undefined) return Attrs['ref'];
    throw notImplemented(`cache import of type ${Type} is not supported by this builder`);
  });
  return [...(cache?.ImportRefsDeprecated ?? []), ...names];
}

/** @throws EngineError `not-implemented`: images have no cache beside their layers and history, which is there anyway. */
export function refuseCacheExports({ Cache: cache }: ControlSolveRequest): void {
  for (const { Type } of cache?.Exports ?? []) {
    // Every image has the history that later builds read.
    if (Type !== 'inline') throw notImplemented(`cache export of type ${Type} is not supported by this builder`);
  }
  const ref = cache?.ExportRefDeprecated ?? '';
  if (ref !== '') throw notImplemented(`cache export to ${ref} is not supported by this builder`);
}
