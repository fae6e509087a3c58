import { invalidArgument } from '@gantry/core/errors';
import type { CacheFacts } from './cache-facts.js';

/** What a filter compares; booleans are `true` or `false`. A cache has one owner, and steps change it in place, except images. */
const fields: Readonly<Record<string, (cache: CacheFacts) => string>> = {
  id: ({ id }) => id,
  type: ({ type }) => type,
  description: ({ description }) => description,
  inuse: ({ isInUse }) => String(isInUse),
  mutable: ({ type }) => String(type !== 'regular'),
  immutable: ({ type }) => String(type === 'regular'),
  private: () => 'true',
  shared: () => 'false',
  parent: () => '',
};

/**
 * A filter as BuildKit's clients write it: conditions that all hold, separated by commas, such as
 * `type==source.local,inuse!=true` or `shared`. A cache matches when one of the filters does, or there is none.
 *
 * @throws EngineError `invalid-argument` naming the condition that cannot be read.
 */
export function cacheMatcher(filters: readonly string[]): (cache: CacheFacts) => boolean {
  const parsed = filters
    .filter((filter) => filter !== '')
    .map((filter) => filter.split(',').map((condition) => parseCondition(condition, filter)));
  return (cache) => parsed.length === 0 || parsed.some((conditions) => conditions.every((holds) => holds(cache)));
}

function parseCondition(condition: string, filter: string): (cache: CacheFacts) => boolean {
  const [, name = '', operator = '', quoted = ''] = /^(\w+)(?:(==?|!=|~=)(.*))?$/.exec(condition) ?? [];
  const field = fields[name];
  if (field === undefined)
    throw invalidArgument(`filter ${filter}: "${condition}" is not a condition on a build cache`);
  const value = quoted.replace(/^"(.*)"$/, '$1');
  if (operator === '') return (cache) => !['', 'false'].includes(field(cache));
  // Ids are shown in part.
  if (name === 'id' && operator !== '!=') return (cache) => value !== '' && field(cache).startsWith(value);
  if (operator === '~=') return (cache) => field(cache).includes(value);
  return (cache) => (field(cache) === value) === (operator !== '!=');
}
