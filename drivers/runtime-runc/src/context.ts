import type { Logger } from '@gantry/core/driver';
import type { RuntimeConfig } from './config.js';
import type { ExecForms } from './exec/exec-form.js';
import type { Layout } from './layout.js';
import type { MemoryState } from './memory-state.js';
import type { Ports } from './ports.js';
import type { CatalogInTime } from './runtime/catalog-in-time.js';
import type { SeccompFilters } from './runtime/seccomp-filters.js';

/** What every operation of the driver works with. */
export interface RuntimeContext {
  readonly ports: Ports;
  readonly config: RuntimeConfig;
  readonly layout: Layout;
  readonly memory: MemoryState;
  readonly catalog: CatalogInTime;
  readonly execForms: ExecForms;
  readonly filters: SeccompFilters;
  /** The path of conmon. */
  readonly conmon: string;
  readonly bootId: string;
  readonly log: Logger;
}
