import type { TerminalSize } from '@gantry/core/contracts';
import { type Parts, runtimeOf } from '../parts.js';
import { isAlive } from '../transitions.js';
import { notRunning } from './kill.js';

/** Spec: POST /containers/(id)/resize. */
export async function resize(parts: Parts, reference: string, size: TerminalSize): Promise<void> {
  const container = parts.store.get(reference);
  if (!isAlive(container.record.state)) throw notRunning(container);
  await runtimeOf(parts, container.record).resize(container.id, size);
  parts.events.publish(container.record, 'resize', { height: String(size.height), width: String(size.width) });
}
