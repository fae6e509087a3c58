import type { Query } from '@gantry/core/http';
import type { ContainerLookup } from '../container-lookup.js';
import type { ContainerRecord } from '../record.js';
import { filterContainers } from './filter-containers.js';
import type { FilterContext, ListQuery } from './list-query.js';
import type { ListedFacts, LiveFacts } from './live-facts.js';
import { parseList } from './parse-list.js';
import { toInspect } from './to-inspect.js';
import { toSummary } from './to-summary.js';

/** Containers as the Engine API of version 1.24 shows them. */
export class ContainerWire {
  /** @param containers for the names of containers that a record refers to by id. */
  constructor(private readonly containers: ContainerLookup) {}

  toInspect(record: ContainerRecord, live: LiveFacts): ReturnType<typeof toInspect> {
    return toInspect(record, live, this.containers);
  }

  toSummary(record: ContainerRecord, live: ListedFacts, now: Date): string {
    return toSummary(record, live, now);
  }

  parseList(query: Query): ListQuery {
    return parseList(query);
  }

  filterContainers(records: readonly ContainerRecord[], query: ListQuery, context: FilterContext): ContainerRecord[] {
    return filterContainers(records, query, context);
  }
}
