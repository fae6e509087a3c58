import type { ContainerConfig } from '@gantry/containers/service';

/** How the health of a container is determined. Times in milliseconds. */
export interface HealthCheck {
  /** Program and arguments. */
  readonly args: readonly string[];
  readonly interval: number;
  /** A probe that takes longer fails. */
  readonly timeout: number;
  /** Failures within this time after the start do not count, until the first success. */
  readonly startPeriod: number;
  /** Between probes within that time, until the first success. */
  readonly startInterval: number;
  /** Consecutive failures that make the container unhealthy. */
  readonly retries: number;
}

const defaultShell = ['/bin/sh', '-c'];

/** Spec: Healthcheck. Undefined when there is none or it is disabled. */
export function healthCheckOf({ Healthcheck: check, Shell: shell }: ContainerConfig): HealthCheck | undefined {
  const [kind, ...words] = check?.Test ?? [];
  if (check === undefined || (kind !== 'CMD' && kind !== 'CMD-SHELL') || words.length === 0) return undefined;
  return {
    args: kind === 'CMD' ? words : [...(shell?.length ? shell : defaultShell), ...words],
    interval: milliseconds(check.Interval) || 30_000,
    timeout: milliseconds(check.Timeout) || 30_000,
    startPeriod: milliseconds(check.StartPeriod),
    startInterval: milliseconds(check.StartInterval) || 5_000,
    retries: check.Retries || 3,
  };
}

const milliseconds = (nanoseconds = 0): number => nanoseconds / 1e6;
