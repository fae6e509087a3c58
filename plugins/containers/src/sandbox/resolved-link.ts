import type { Endpoint } from '@gantry/networks/service';
import type { ContainerRecord } from '../record.js';

/** A link of the default network: another container's address under an alias. */
export interface ResolvedLink {
  readonly alias: string;
  readonly container: ContainerRecord;
  readonly endpoint: Endpoint | undefined;
}
