import { type RecordKind, TransactionConflict } from '@gantry/core/contracts';
import type { Assertions } from '../test-interface.js';

interface Thing {
  readonly name: string;
  readonly colours: readonly string[];
}

export const things: RecordKind<Thing> = {
  name: 'thing',
  version: 1,
  parse(value) {
    const thing = value as Thing;
    if (typeof thing.name !== 'string') throw new Error('name is missing');
    return thing;
  },
  uniqueNames: ({ name }) => (name === '' ? [] : [name]),
  indexes: { colour: { keysOf: ({ colours }) => colours } },
};

export const others: RecordKind<{ readonly count: number }> = {
  name: 'other',
  version: 1,
  parse: (value) => value as { readonly count: number },
};

export const thing = (name: string, ...colours: string[]): Thing => ({ name, colours });
export const member = { name: 'm1' };

export async function conflictOf(
  t: Assertions,
  attempt: Promise<unknown>,
  reason: TransactionConflict['reason'],
): Promise<void> {
  const error = await attempt.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  t.true(TransactionConflict.is(error), `expected a TransactionConflict, got: ${String(error)}`);
  t.is((error as TransactionConflict).reason, reason, (error as Error).message);
}
