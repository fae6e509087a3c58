import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '@gantry/core/errors';
import type { Container } from '../container.js';
import type { Parts } from '../parts.js';
import type { Move } from '../transitions.js';

/** A disk that is full now may have room in a moment. */
const retryMs = 1000;

/**
 * Makes a move that has happened already, so that there is no way back: it is tried until it is stored. Those who wait
 * for the container learn by `endRefused` that it takes its time.
 */
export async function storeAtLast(
  parts: Parts,
  container: Container,
  move: Move,
  announce?: () => void,
): Promise<boolean> {
  for (;;) {
    try {
      const isMade = await container.change(move, announce);
      container.endRefused = undefined;
      return isMade;
    } catch (error) {
      container.endRefused = messageOf(error);
      const facts = { event: 'container.not-stored', container: container.id, reason: messageOf(error) };
      parts.log.error(facts, 'an end could not be stored; trying again');
      await delay(retryMs);
    }
  }
}
