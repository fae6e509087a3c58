import type { NodeFilter } from './node-filters.js';

/** Why a task stays pending, the filter that excludes most nodes first. */
export function explainFilters(excluded: ReadonlyMap<NodeFilter, number>): string {
  return [...excluded]
    .sort(([, left], [, right]) => right - left)
    .map(([filter, count]) => filter.explain(count))
    .join('; ');
}
