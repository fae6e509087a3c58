import type { HostConfig } from '../schema.js';
import type { AfterExit } from '../transitions.js';

/** Milliseconds. */
const firstDelay = 100;
const longestDelay = 60_000;
/** A run that lasted so long counts as a success: the next delay is the first again. */
const longEnough = 10_000;

interface Ended {
  readonly exitCode: number;
  readonly stoppedByUser: boolean;
  /** Starts by the policy so far. */
  readonly restartCount: number;
}

/** Whether the policy wants another run. */
export function wantsRestart(policy: HostConfig['RestartPolicy'], ended: Ended): boolean {
  const { Name = '', MaximumRetryCount = 0 } = policy ?? {};
  switch (Name) {
    case 'always':
    case 'unless-stopped':
      return !ended.stoppedByUser;
    case 'on-failure':
      if (ended.stoppedByUser || ended.exitCode === 0) return false;
      return MaximumRetryCount === 0 || ended.restartCount < MaximumRetryCount;
    default:
      return false;
  }
}

/**
 * Whether a daemon that starts also starts a container that is not running. Unlike `unless-stopped`, `always` ignores
 * that a user has stopped it.
 */
export const wantsRestartAtBoot = (policy: HostConfig['RestartPolicy'], ended: Ended): boolean =>
  wantsRestart(policy, { ...ended, stoppedByUser: ended.stoppedByUser && policy?.Name !== 'always' });

/** The delay after a run of so many milliseconds; `last` is the delay before it, 0 when there was none. */
export const nextDelay = (last: number, ranFor: number): number =>
  last === 0 || ranFor >= longEnough ? firstDelay : Math.min(last * 2, longestDelay);

export const afterExit = (
  policy: HostConfig['RestartPolicy'],
  ended: Ended,
  delay: { readonly last: number; readonly ranFor: number },
): AfterExit => (wantsRestart(policy, ended) ? { restartAfterMs: nextDelay(delay.last, delay.ranFor) } : 'stays');
