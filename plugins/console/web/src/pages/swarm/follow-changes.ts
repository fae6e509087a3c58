import { followStream } from '../../api/follow-stream';

const pause = 2_000;

/**
 * Calls `changed` whenever this engine's part in a swarm, or its tasks, may have changed: there are no events of these. Ends when
 * the signal aborts.
 */
export async function followChanges(of: 'swarm' | 'tasks', changed: () => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await followStream(`/changes/${of}`, { signal, connected: changed }, changed);
    } catch {
      // The page says itself that the engine does not answer.
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
