import type { Filters } from '@gantry/core/http';
import type { ContainerLookup } from '../container-lookup.js';
import type { ContainerRecord } from '../record.js';
import type { ListedFacts } from './live-facts.js';

export interface ListQuery {
  readonly all: boolean;
  readonly size: boolean;
  /** How old a size may be, in milliseconds; default 0. */
  readonly sizeAge?: number;
  readonly limit: number;
  readonly since: string | undefined;
  readonly before: string | undefined;
  readonly filters: Filters;
}

export interface FilterContext {
  readonly containers: ContainerLookup;
  /** Ids of the image a reference names and of every image made from it; empty when there is none. */
  descendants(reference: string): ReadonlySet<string>;
  readonly live: (record: ContainerRecord) => ListedFacts;
}
