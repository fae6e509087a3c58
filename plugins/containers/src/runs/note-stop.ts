import { messageOf, unavailable } from '@gantry/core/errors';
import type { Container } from '../container.js';
import { within } from '../deadline.js';
import type { Parts } from '../parts.js';
import { isRunning, markStopped } from '../transitions.js';

/** How long the disk may take to note that a stop was asked for, in milliseconds. */
const patience = 2000;

/**
 * Notes that somebody wants it stopped, which its restart policy counts. A disk that takes nothing keeps nobody from
 * stopping a container, least of all the one that has filled it: then it is noted with its end.
 */
export async function noteStop(parts: Parts, container: Container): Promise<void> {
  const noting = container.change(markStopped);
  try {
    await within(parts.clock, patience, `the disk has not answered within ${patience / 1000} s`, noting);
  } catch (error) {
    container.isStopAsked = true;
    const facts = { event: 'container.stop-not-stored', container: container.id, reason: messageOf(error) };
    parts.log.error(facts, 'a container is stopped although that cannot be stored');
    noting.catch(() => undefined);
  }
}

/** Resolves when its end is recorded. Rejects `unavailable` when it has ended and that cannot be recorded now. */
export async function untilEnded(container: Container): Promise<void> {
  await container.until(({ state }) => !isRunning(state) || container.endRefused !== undefined);
  if (isRunning(container.record.state) && container.endRefused !== undefined) {
    throw unavailable(`container ${container.id} has ended, but that cannot be recorded: ${container.endRefused}`);
  }
}
