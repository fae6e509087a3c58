import { hostname } from 'node:os';
import type { EngineEvent } from '@gantry/core/plugin';

const lostAction = 'events-lost';

/** Replaces dropped events: those a slow reader's queue overflowed with, or those the disk could not take. */
export function lostEvent(events: number): EngineEvent {
  const name = hostname();
  return {
    type: 'daemon',
    action: lostAction,
    actor: { id: name, attributes: { name, lost: String(events) } },
    timeNano: BigInt(Date.now()) * 1_000_000n,
  };
}

/** Such an event is sent to every reader, whatever its filters. */
export const isLostEvent = ({ action }: EngineEvent): boolean => action === lostAction;
