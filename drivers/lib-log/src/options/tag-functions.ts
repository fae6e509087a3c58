/** What an action of a tag works with. */
export type TagValue = string | number | null | readonly string[] | Readonly<Record<string, string>>;

/** A function of tags; what it is given and cannot use throws a RangeError with the reason. */
export type TagFunction = (...operands: readonly TagValue[]) => TagValue;

const text = (value: TagValue | undefined): string => {
  if (typeof value !== 'string') throw new RangeError('wants a text');
  return value;
};

const count = (value: TagValue | undefined): number => {
  if (typeof value !== 'number') throw new RangeError('wants a number');
  return value;
};

const list = (value: TagValue | undefined): readonly string[] => {
  if (!Array.isArray(value)) throw new RangeError('wants a list');
  return value as readonly string[];
};

const sorted = (value: TagValue | undefined): TagValue =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : (value ?? null);

/** By name, with the number of operands. */
export const tagFunctions: Readonly<Record<string, readonly [operands: number, run: TagFunction]>> = {
  index: [2, (from, key) => (typeof key === 'number' ? (list(from)[key] ?? '') : (entries(from)[text(key)] ?? ''))],
  join: [2, (parts, separator) => list(parts).join(text(separator))],
  json: [1, (value) => JSON.stringify(sorted(value))],
  lower: [1, (value) => text(value).toLowerCase()],
  pad: [3, (value, before, after) => `${blanks(before)}${text(value)}${blanks(after)}`],
  split: [2, (value, separator) => text(value).split(text(separator))],
  title: [1, (value) => text(value).replace(/(^|\s)\S/g, (letter) => letter.toUpperCase())],
  truncate: [2, (value, length) => text(value).slice(0, Math.max(0, count(length)))],
  upper: [1, (value) => text(value).toUpperCase()],
};

const blanks = (value: TagValue | undefined): string => ' '.repeat(Math.min(Math.max(0, count(value)), 256));

function entries(value: TagValue | undefined): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new RangeError('wants a map');
  return value as Readonly<Record<string, string>>;
}
