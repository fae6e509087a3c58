/** A value of a template: `bigint` is Go's int, `number` its float64, null its nil, a map its map[string]string. */
export type TemplateValue = string | bigint | number | boolean | null | ReadonlyMap<string, string> | TemplateFields;

/** A structure: what `.Service.Name` and the like stand for. */
export interface TemplateFields {
  readonly [name: string]: string | ReadonlyMap<string, string> | TemplateFields;
}

export const isMap = (value: TemplateValue): value is ReadonlyMap<string, string> => value instanceof Map;

/** As the language of templates calls it. */
export function typeOf(value: TemplateValue): string {
  switch (typeof value) {
    case 'bigint':
      return 'int';
    case 'number':
      return 'float64';
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    default:
      if (value === null) return '<nil>';
      return isMap(value) ? 'map[string]string' : 'struct';
  }
}

/** Whether a condition holds: what is empty does not, and every structure does. */
export function isTrue(value: TemplateValue): boolean {
  if (value === null) return false;
  if (isMap(value)) return value.size > 0;
  return typeof value === 'object' || Boolean(value);
}

/** In the order in which they are shown and visited. */
export const sortedEntries = (map: ReadonlyMap<string, string>): readonly (readonly [key: string, value: string])[] =>
  [...map].sort(([left], [right]) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
