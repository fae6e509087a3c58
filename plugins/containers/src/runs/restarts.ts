import { messageOf } from '@gantry/core/errors';
import type { Container } from '../container.js';
import type { Parts } from '../parts.js';
import { endRestarts } from '../transitions.js';
import { startContainer } from '../verbs/start.js';
import { wantsRestart } from './restart-policy.js';

/** Starts a container in state `restarting` when its delay is over. */
export function scheduleRestart(parts: Parts, container: Container): void {
  const { state } = container.record;
  if (state.status !== 'restarting') return;
  container.restartDelay = state.delayMs;
  container.cancelRestart = parts.clock.after(state.delayMs, () => {
    container.cancelRestart = undefined;
    void container.queue.run(() => restartByPolicy(parts, container));
  });
}

async function restartByPolicy(parts: Parts, container: Container): Promise<void> {
  const { state, hostConfig, restartCount } = container.record;
  if (state.status !== 'restarting' || container.isRemoving || parts.stopping.aborted) return;
  // The policy may have been changed meanwhile.
  const ended = { exitCode: state.last.exitCode, stoppedByUser: container.record.stoppedByUser, restartCount };
  if (!wantsRestart(hostConfig.RestartPolicy, ended)) {
    await container.change(endRestarts);
    return;
  }
  try {
    await startContainer(parts, container, { byPolicy: true });
  } catch (error) {
    const facts = { event: 'container.restart-failed', container: container.id, reason: messageOf(error) };
    parts.log.warn(facts, 'a restart by the policy failed');
    // A port in use or a missing volume may be there again in a moment: a failed start counts as a failed run.
    scheduleRestart(parts, container);
  }
}
