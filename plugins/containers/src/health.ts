/** State.Health. */
export interface Health {
  readonly status: 'starting' | 'healthy' | 'unhealthy';
  readonly failingStreak: number;
  /** Newest last. */
  readonly log: readonly HealthProbe[];
}

export interface HealthProbe {
  /** RFC 3339. */
  readonly start: string;
  readonly end: string;
  readonly exitCode: number;
  readonly output: string;
}
