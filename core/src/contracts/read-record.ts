import { conflict, messageOf } from '../errors/engine-error.js';
import type { CollectionDefinition } from './state.js';

/**
 * A record of a collection as the running version wants it: migrated step by step, then checked.
 * @param version of the shape that `stored` has.
 * @throws Error with the reason that the record is quarantined for; EngineError `conflict` where the record is newer, so that
 *   the collection must not be opened.
 */
export function readRecord<T>(definition: CollectionDefinition<T>, version: number, stored: unknown): T {
  const { name, version: wanted, migrations = {} } = definition;
  if (version > wanted) {
    throw conflict(
      `collection ${name} has records of version ${version}, and this engine knows up to ${wanted}: a newer engine wrote them; ` +
        'start that one, or restore a backup of this one',
    );
  }
  let value = stored;
  for (let step = version; step < wanted; step++) {
    const migrate = migrations[step];
    if (migrate === undefined) throw new Error(`there is no migration from version ${step} to ${step + 1}`);
    try {
      value = migrate(value);
    } catch (error) {
      throw new Error(`the migration from version ${step} failed: ${messageOf(error)}`, { cause: error });
    }
  }
  return definition.parse(value);
}
