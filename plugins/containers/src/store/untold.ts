import { messageOf } from '@gantry/core/errors';
import type { EngineEvent, EngineEvents, PastEvents } from '@gantry/core/plugin';
import { nanosOf } from '../clock.js';
import type { Parts } from '../parts.js';
import type { ContainerRecord } from '../record.js';
import { isAlive, lastRun } from '../transitions.js';

/** An event that goes with what is stored, and that nobody was told. */
export interface Untold {
  readonly action: 'create' | 'start' | 'die';
  readonly attributes?: Readonly<Record<string, string>>;
}

/**
 * A daemon that was killed between storing a change and telling of it leaves events that do not agree with the state.
 * What is missing is told now, and late. Never rejects.
 */
export async function tellUntold(parts: Parts, events: EngineEvents): Promise<void> {
  const records = new Map([...parts.store.all()].map(({ id, record }) => [id, record]));
  try {
    const past = await events.past();
    if (past === undefined) return;
    const told = lifeEvents(past.events);
    for (const [id, record] of records) {
      // What has changed meanwhile was told by this daemon.
      if (parts.store.byId(id)?.record !== record) continue;
      for (const { action, attributes } of untoldOf(record, told.get(id) ?? [], isKnownFrom(past, record))) {
        parts.events.publish(record, action, attributes);
      }
    }
    for (const [id, own] of told) {
      const last = own.at(-1);
      if (records.has(id) || parts.store.has(id) || last === undefined || last.action === 'destroy') {
        continue;
      }
      const { exitCode: _ended, signal: _signal, ...attributes } = last.actor.attributes;
      const { type, from } = last;
      events.publish({ type, action: 'destroy', actor: { id, attributes }, ...(from !== undefined && { from }) });
    }
  } catch (error) {
    const facts = { event: 'container.untold', reason: messageOf(error) };
    parts.log.error(facts, 'events that a crash kept back could not be found');
  }
}

/** By container: what says that it is there, that it runs, and that it does not. */
function lifeEvents(events: readonly EngineEvent[]): ReadonlyMap<string, readonly EngineEvent[]> {
  const found = new Map<string, EngineEvent[]>();
  for (const event of events) {
    if (event.type !== 'container' || !['create', 'start', 'die', 'destroy'].includes(event.action)) continue;
    const own = found.get(event.actor.id);
    if (own === undefined) found.set(event.actor.id, [event]);
    else own.push(event);
  }
  return found;
}

/** Whether its creation would be among the events. */
function isKnownFrom({ events, isAll }: PastEvents, { createdAt }: ContainerRecord): boolean {
  const first = events[0];
  return isAll || (first !== undefined && nanosOf(createdAt) > first.timeNano);
}

/** What is missing behind the last that was told, so that it leads to the record. */
export function untoldOf(
  { state, everStarted }: ContainerRecord,
  told: readonly Pick<EngineEvent, 'action'>[],
  isKnownFromStart: boolean,
): readonly Untold[] {
  // Nothing can be said of one whose events are forgotten by now.
  if (told.length === 0 && !isKnownFromStart) return [];
  const untold: Untold[] = told.length === 0 ? [{ action: 'create' }] : [];
  const last = told.findLast(({ action }) => action === 'start' || action === 'die')?.action;
  const run = lastRun(state);
  if (isAlive(state)) {
    if (last !== 'start') untold.push({ action: 'start' });
  } else if (everStarted && run !== undefined && last !== 'die' && (last === 'start' || isKnownFromStart)) {
    if (last === undefined) untold.push({ action: 'start' });
    untold.push({ action: 'die', attributes: { exitCode: String(run.exitCode) } });
  }
  return untold;
}
