import { type ErrorKind, kindOf } from '../../errors/engine-error.js';
import type { EngineEvents, EventType } from './event-bus.js';

export interface Pruning<T> {
  /** Of the objects, and of the event that is published when all have been looked at. */
  readonly type: EventType;
  /** All that there are now. */
  readonly candidates: Iterable<T>;
  /** Asked right before the removal. */
  isUnneeded(candidate: T): boolean;
  /** Resolves to the bytes that are free now; to undefined when the object had gone. */
  remove(candidate: T): Promise<number | undefined>;
  /** How the removal of an object fails that is needed again, or that another client has removed. */
  readonly tolerated: readonly ErrorKind[];
  readonly signal: AbortSignal;
}

export interface Pruned<T> {
  readonly removed: readonly T[];
  /** Bytes. */
  readonly reclaimed: number;
}

/**
 * Removes objects that nothing needs, one after the other, and publishes `prune` with the bytes that are free. Stops early at
 * abort. Rejects with the first failure that is not tolerated.
 */
export async function prune<T>(events: EngineEvents, pruning: Pruning<T>): Promise<Pruned<T>> {
  const removed: T[] = [];
  let reclaimed = 0;
  for (const candidate of [...pruning.candidates]) {
    if (pruning.signal.aborted) break;
    if (!pruning.isUnneeded(candidate)) continue;
    try {
      const bytes = await pruning.remove(candidate);
      if (bytes === undefined) continue;
      removed.push(candidate);
      reclaimed += bytes;
    } catch (error) {
      if (!pruning.tolerated.includes(kindOf(error))) throw error;
    }
  }
  const attributes = { reclaimed: String(reclaimed) };
  events.publish({ type: pruning.type, action: 'prune', actor: { id: '', attributes } });
  return { removed, reclaimed };
}
