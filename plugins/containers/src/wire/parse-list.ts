import { type Filters, invalidFilter, type Query } from '@gantry/core/http';
import type { ListQuery } from './list-query.js';
import { parsePortFilter } from './parse-port-filter.js';

export const listFilters = [
  'ancestor',
  'before',
  'exited',
  'expose',
  'health',
  'id',
  'is-task',
  'isolation',
  'label',
  'name',
  'network',
  'publish',
  'since',
  'status',
  'volume',
] as const;

const statuses = ['created', 'restarting', 'running', 'removing', 'paused', 'exited', 'dead'];

/** Reads the query of GET /containers/json. @throws EngineError `invalid-argument`. */
export function parseList(query: Query): ListQuery {
  const filters = query.filters(listFilters);
  check(filters);
  return {
    all: query.boolean('all'),
    size: query.boolean('size'),
    limit: Math.max(0, query.integer('limit') ?? 0),
    since: query.string('since') || undefined,
    before: query.string('before') || undefined,
    filters,
  };
}

function check(filters: Filters): void {
  filters.oneOf('status', statuses);
  filters.oneOf('isolation', ['default', 'process', 'hyperv']);
  filters.oneOf('health', ['none', 'starting', 'healthy', 'unhealthy']);
  filters.boolean('is-task');
  for (const value of filters.get('exited')) {
    if (!/^-?\d{1,9}$/.test(value)) throw invalidFilter('exited', value);
  }
  for (const key of ['publish', 'expose']) for (const value of filters.get(key)) parsePortFilter(key, value);
}
