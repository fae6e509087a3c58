import { followStream } from '../../../api/follow-stream';

const pause = 2_000;

/**
 * Calls `changed` whenever this engine's part in a swarm may have changed: there are no events of it, and none at all while the
 * engine is a worker. Ends when the signal aborts.
 */
export async function followMembership(changed: () => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await followStream('/changes/swarm', { signal, connected: changed }, changed);
    } catch {
      // The page says itself that the engine does not answer.
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
