import type { Health, HealthProbe } from '@gantry/containers/service';
import type { HealthCheck } from './health-check.js';

/** Probe results that inspect shows. */
const keptProbes = 5;

export const startingHealth: Health = { status: 'starting', failingStreak: 0, log: [] };

/** The health after a probe. `sinceStart` is when the probe started, in milliseconds after the container did. */
export function afterProbe(
  health: Health,
  probe: HealthProbe,
  { retries, startPeriod }: Pick<HealthCheck, 'retries' | 'startPeriod'>,
  sinceStart: number,
): Health {
  const log = [...health.log, probe].slice(-keptProbes);
  if (probe.exitCode === 0) return { status: 'healthy', failingStreak: 0, log };
  if (health.status === 'starting' && sinceStart < startPeriod) return { ...health, log };
  const failingStreak = health.failingStreak + 1;
  return { status: failingStreak >= retries ? 'unhealthy' : health.status, failingStreak, log };
}

/** Milliseconds until the next probe, `sinceStart` milliseconds after the start of the container. */
export const nextProbe = (
  { status }: Health,
  { interval, startInterval, startPeriod }: Pick<HealthCheck, 'interval' | 'startInterval' | 'startPeriod'>,
  sinceStart: number,
): number => (status === 'starting' && sinceStart < startPeriod ? startInterval : interval);

/** A container that has exited is not healthy. */
export const exitedHealth = (health: Health): Health => ({ ...health, status: 'unhealthy' });
