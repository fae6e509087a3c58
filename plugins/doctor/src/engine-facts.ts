import type { UnitStatus } from '@gantry/core/driver';

/** What only a running daemon knows. */
export interface EngineFacts {
  readonly packages: readonly UnitStatus[];
  readonly orphans: readonly { readonly owner: string; readonly what: string; readonly name: string }[];
  readonly leaks: LeakHistory;
  /** Descriptors that are open, and how many may be. */
  readonly descriptors: { readonly open: number; readonly limit: number };
}

/** Times in milliseconds since 1970. */
export interface LeakHistory {
  /** When orphans were looked for first. */
  readonly since: number;
  /** When some were found last. */
  readonly last?: number;
}
