import type { EngineFacts } from '../engine-facts.js';
import type { Level } from '../finding.js';
import type { HostFacts } from '../host/host-facts.js';

/** A host that differs from a healthy one, with what is found there. */
export interface Case {
  readonly id: string;
  readonly host?: Partial<HostFacts>;
  readonly engine?: Partial<EngineFacts>;
  readonly level: Level;
  readonly found: RegExp;
  readonly remedy?: RegExp;
}
