import type { EngineEvent } from '@gantry/core/plugin';
import type { ContainerRecord } from '../record.js';
import { dieAttributes } from '../supervision/die-attributes.js';
import { isAlive, lastRun } from '../transitions.js';

interface MissingEvent {
  readonly action: 'create' | 'start' | 'die';
  readonly attributes?: Readonly<Record<string, string>>;
}

/** The events that have to follow the published ones so that they lead to the record. */
export function missingEvents(
  { state, everStarted }: ContainerRecord,
  published: readonly Pick<EngineEvent, 'action'>[],
  coversCreation: boolean,
): readonly MissingEvent[] {
  // The events of this container have expired.
  if (published.length === 0 && !coversCreation) return [];
  const missing: MissingEvent[] = published.length === 0 ? [{ action: 'create' }] : [];
  const last = published.findLast(({ action }) => action === 'start' || action === 'die')?.action;
  const run = lastRun(state);
  if (isAlive(state)) {
    if (last !== 'start') missing.push({ action: 'start' });
  } else if (everStarted && run !== undefined && last !== 'die' && (last === 'start' || coversCreation)) {
    if (last === undefined) missing.push({ action: 'start' });
    missing.push({ action: 'die', attributes: dieAttributes(run) });
  }
  return missing;
}
