import { invalidArgument } from '../../errors/engine-error.js';
import type { Middleware } from '../exchange/context.js';

/** The versions of an API, such as `1.24`. Read with every request: the range may change while the surface serves. */
export interface VersionRange {
  readonly min: string;
  readonly max: string;
  /** What a path without a version means; default `max`. */
  readonly unversioned?: string;
}

/** Negative, zero or positive, as `a` is before, the same as or after `b`: 1.9 is before 1.24. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split('.'), b.split('.')];
  for (let part = 0; part < Math.max(left.length, right.length); part++) {
    const difference = Number(left[part] ?? 0) - Number(right[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** What a proxy's client puts in front of the path. */
const origin = /^https?:\/\/[^/]*/i;

const prefix = /^\/v(\d+(?:\.\d+)*)(?=\/)/;

/**
 * Takes the version prefix off a request target: `/v1.24/info` is version 1.24 of `/info`. Without a prefix the range says
 * which version is meant.
 * @throws EngineError `invalid-argument` for a version outside the range.
 */
export function readVersion(
  target: string,
  range: VersionRange,
): { readonly target: string; readonly version: string } {
  const path = target.startsWith('/') ? target : target.replace(origin, '');
  const [whole = '', version = range.unversioned ?? range.max] = prefix.exec(path) ?? [];
  checkVersion(version, range);
  return { target: path.slice(whole.length), version };
}

/** Middleware that takes the version prefix off the path; without a range paths have none. */
export const stripVersion =
  (range: VersionRange | undefined): Middleware =>
  (ctx, next) => {
    if (range !== undefined) {
      const { target, version } = readVersion(ctx.url, range);
      ctx.url = target;
      ctx.state.version = version;
    }
    return next();
  };

function checkVersion(version: string, range: VersionRange): void {
  if (version === range.max) return; // what most clients say
  if (compareVersions(version, range.max) > 0) {
    throw invalidArgument(`client version ${version} is too new. Maximum supported API version is ${range.max}`);
  }
  if (compareVersions(version, range.min) < 0) {
    throw invalidArgument(
      `client version ${version} is too old. Minimum supported API version is ${range.min}, ` +
        'please upgrade your client to a newer version',
    );
  }
}
