import type { Health, HealthProbe } from '../interfaces.js';
import type { HealthCheck } from './health-check.js';

/** Probes that are kept. */
const keptProbes = 5;

export const startingHealth: Health = { status: 'starting', failingStreak: 0, log: [] };

/** What a probe makes of a container's health. `sinceStart` is when it began, in milliseconds after the container. */
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

/** A container that does not run is not healthy. */
export const endedHealth = (health: Health): Health => ({ ...health, status: 'unhealthy' });
