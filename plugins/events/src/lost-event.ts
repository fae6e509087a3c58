import type { EngineEvent } from '@gantry/core/plugin';

const lostAction = 'events-lost';

/** Takes the place of events that could not wait any longer: for a reader that was too slow, or for the disk. */
export const lostEvent = (hostname: string, events: number): EngineEvent => ({
  type: 'daemon',
  action: lostAction,
  actor: { id: hostname, attributes: { name: hostname, lost: String(events) } },
  timeNano: BigInt(Date.now()) * 1_000_000n,
});

/** Every reader is told, whatever it asked for. */
export const isLostEvent = ({ action }: EngineEvent): boolean => action === lostAction;
