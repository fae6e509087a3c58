import { invalidArgument } from '@gantry/core/errors';
import { parseDuration } from '@gantry/images/service';
import type { HistoryRecord } from './build-history.js';

type Holds = (record: HistoryRecord) => boolean;

const texts: Readonly<Record<string, (record: HistoryRecord) => string>> = {
  ref: ({ ref }) => ref,
  repository: ({ attributes }) => attributes['vcs:source'] ?? '',
  status: statusOf,
};

const times: Readonly<Record<string, (record: HistoryRecord) => number | undefined>> = {
  createdAt: ({ created }) => created.getTime(),
  startedAt: ({ created }) => created.getTime(),
  completedAt: ({ completed }) => completed?.at.getTime(),
};

const comparisons: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
};

/**
 * Filters as BuildKit's clients write them: conditions that all hold, separated by commas, such as
 * `status==error,duration>1m` or `startedAt>24h`, which is less than a day ago. A build matches when one of the filters
 * does, or there is none.
 *
 * @throws EngineError `invalid-argument` naming the condition that cannot be read.
 */
export function historyMatcher(filters: readonly string[], now: number): Holds {
  const parsed = filters
    .filter((filter) => filter !== '')
    .map((filter) => filter.split(',').map((condition) => parseCondition(condition, now)));
  return (record) => parsed.length === 0 || parsed.some((conditions) => conditions.every((holds) => holds(record)));
}

function parseCondition(condition: string, now: number): Holds {
  const [, name = '', operator = '', quoted = ''] = /^(\w+)(==?|!=|~=|>=?|<=?)(.+)$/.exec(condition) ?? [];
  const value = quoted.replace(/^"(.*)"$/, '$1');
  const compare = comparisons[operator];
  const text = texts[name];
  const time = times[name];
  if (text !== undefined && compare === undefined && operator !== '') {
    if (operator === '~=') return (record) => text(record).includes(value);
    return (record) => (text(record) === value) === (operator !== '!=');
  }
  if (compare !== undefined && time !== undefined) {
    const limit = /^\d{4}-/.test(value) ? Date.parse(value) : now - parseDuration(name, value) / 1e6;
    if (Number.isNaN(limit)) throw invalidArgument(`filter ${condition}: "${value}" is not a time`);
    return (record) => {
      const at = time(record);
      return at !== undefined && compare(at, limit);
    };
  }
  if (compare !== undefined && name === 'duration') {
    const limit = parseDuration(name, value) / 1e6;
    return ({ created, completed }) => compare((completed?.at.getTime() ?? now) - created.getTime(), limit);
  }
  throw invalidArgument(`filter ${condition} is not a condition on a build`);
}

function statusOf({ completed }: HistoryRecord): string {
  if (completed === undefined) return 'running';
  if (completed.error === undefined) return 'completed';
  return completed.error.includes('context canceled') ? 'canceled' : 'error';
}
