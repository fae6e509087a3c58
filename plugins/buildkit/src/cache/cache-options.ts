import { notImplemented } from '@gantry/core/errors';
import type { Attributes, CacheEntry, ControlSolveRequest } from '../protocol/messages.js';

/** A cache at a registry, or in a directory of the client. */
export type CachePlace =
  | { readonly type: 'registry'; readonly reference: string }
  | { readonly type: 'local'; readonly store: string; readonly digest: string };

export interface CacheExport {
  readonly place: CachePlace;
  /** The images of all stages, instead of the result's alone. */
  readonly isWhole: boolean;
  /** A failure is shown, and does not fail the build. */
  readonly ignoresErrors: boolean;
}

/** Attributes that ask for what is done anyway. */
const fulfilled: Readonly<Record<string, RegExp>> = {
  compression: /^gzip$/,
  'force-compression': /^(?:0|f|false)$/i,
  'image-manifest': /^(?:1|t|true)$/i,
  'oci-mediatypes': /^(?:1|t|true)$/i,
  tag: /./,
};
const isTrue = (text: string): boolean => /^(?:1|t|true)$/i.test(text);

/** Where the build may take steps from. @throws EngineError `not-implemented` for a cache of another kind. */
export function cacheImportsOf({ Cache: cache }: Pick<ControlSolveRequest, 'Cache'>): readonly CachePlace[] {
  const places = (cache?.Imports ?? []).map((entry) => placeOf('import', entry, 'src'));
  const older = (cache?.ImportRefsDeprecated ?? []).map((reference) => ({ type: 'registry', reference }) as const);
  return [...older, ...places];
}

/** @throws EngineError `not-implemented` for a cache of another kind, or an attribute that cannot be honoured. */
export function cacheExportsOf({ Cache: cache }: Pick<ControlSolveRequest, 'Cache'>): readonly CacheExport[] {
  const older = cache?.ExportRefDeprecated ?? '';
  if (older !== '') throw notImplemented(`cache export to ${older}: name it in Exports`);
  // Every image has the history that later builds read: there is nothing to do for an inline cache.
  const entries = (cache?.Exports ?? []).filter(({ Type }) => Type !== 'inline');
  return entries.map((entry) => {
    const { mode = 'min', 'ignore-error': ignoresErrors = 'false', ...rest } = entry.Attrs;
    if (mode !== 'min' && mode !== 'max') throw notImplemented(`cache export: mode=${mode} is not one of min, max`);
    const place = placeOf('export', { Type: entry.Type, Attrs: rest }, 'dest');
    return { place, isWhole: mode === 'max', ignoresErrors: isTrue(ignoresErrors) };
  });
}

function placeOf(action: 'import' | 'export', { Type, Attrs }: CacheEntry, directory: 'src' | 'dest'): CachePlace {
  const { ref, digest = '', [directory]: path, ...rest } = Attrs;
  refuseAttributes(action, Type, rest);
  if (Type === 'registry' && ref !== undefined && ref !== '') return { type: 'registry', reference: ref };
  if (Type === 'local' && path !== undefined && path !== '') return { type: 'local', store: `local:${path}`, digest };
  throw notImplemented(`cache ${action} of type ${Type} is not supported by this builder`);
}

function refuseAttributes(action: string, type: string, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (fulfilled[name]?.test(value) === true) continue;
    if (type !== 'registry' && type !== 'local') continue; // the type itself is refused
    throw notImplemented(`cache ${action} of type ${type}: ${name}=${value} is not supported by this builder`);
  }
}
