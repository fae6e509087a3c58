import { invalidArgument } from '../errors/engine-error.js';

/** The versions of an API, such as `1.24`. */
export interface VersionRange {
  readonly min: string;
  readonly max: string;
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

/** A request target without its version prefix, and the version it named. */
export interface Versioned {
  readonly target: string;
  readonly version: string | undefined;
}

/** Takes the version prefix off: `/v1.24/info` is version 1.24 of `/info`. */
export function splitVersion(target: string): Versioned {
  const path = target.startsWith('/') ? target : target.replace(origin, '');
  const match = prefix.exec(path);
  return match ? { target: path.slice(match[0].length), version: match[1] } : { target: path, version: undefined };
}

/** @throws EngineError `invalid-argument` when the surface does not speak the version. */
export function checkVersion(version: string, range: VersionRange): void {
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
