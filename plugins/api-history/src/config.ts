import { invalidArgument } from '@gantry/core/errors';
import { compareVersions, type VersionRange } from '@gantry/core/http';
import { newestVersion } from '@gantry/engine-api/service';
import { Type } from '@sinclair/typebox';

/** The oldest version that the steps lead back to. */
const oldestVersion = '1.24';

/** Of clients that may be let in when they are known to work: they get what those of 1.24 get. */
const oldestAccepted = '1.22';

const pattern = '^1\\.[0-9]{2}$';

export const configSchema = Type.Object({
  oldest: Type.String({
    default: oldestVersion,
    pattern,
    description: 'clients of older versions are refused; 1.22 and 1.23 get the answers of 1.24',
  }),
  newest: Type.String({
    default: newestVersion,
    pattern,
    description: 'what the engine reports and accepts at most: clients negotiate down to it',
  }),
  unversioned: Type.String({
    default: oldestVersion,
    pattern,
    description: 'what a path without a version means, so that scripts keep their answers when `newest` rises',
  }),
});

export type HistoryConfig = typeof configSchema.static;

/** @throws EngineError `invalid-argument` naming the key whose version is outside its range. */
export function toRange({ oldest, newest, unversioned }: HistoryConfig): VersionRange {
  check('newest', newest, { min: oldestVersion, max: newestVersion });
  check('oldest', oldest, { min: oldestAccepted, max: newest });
  check('unversioned', unversioned, { min: oldest, max: newest });
  return { min: oldest, max: newest, unversioned };
}

function check(key: string, version: string, { min, max }: VersionRange): void {
  if (compareVersions(version, min) >= 0 && compareVersions(version, max) <= 0) return;
  throw invalidArgument(`plugins.api-history.${key}: ${version} is not a version from ${min} to ${max}`);
}
