import { invalidFilter } from './filters.js';

/**
 * Patterns whose matching could take for ever: a repeated group, or a reference back to one. All others are quick on
 * texts as short as names.
 */
const slow = /\)[*+{?]|\\[1-9k]/;

/**
 * What `name` and `id` filters match by: part of the text, or a regular expression.
 * @throws EngineError `invalid-argument` for an expression that does not read or could be slow.
 */
export function textFilter(key: string, pattern: string): (text: string) => boolean {
  if (!/[\\^$.*+?()[\]{}|]/.test(pattern)) return (text) => text.includes(pattern);
  if (slow.test(pattern) || pattern.length > 256) throw invalidFilter(key, pattern);
  let expression: RegExp;
  try {
    expression = new RegExp(pattern);
  } catch {
    throw invalidFilter(key, pattern);
  }
  return (text) => expression.test(text);
}
