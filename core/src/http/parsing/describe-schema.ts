/** The part of JSON schema that `decode` understands; what TypeBox builds is this plus symbols. */
export interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** What a schema wants, in words for an error: `integer from 10 to 1000`, `array of string`. */
export function describe(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf) return [...new Set(schema.anyOf.map(describe))].join(' or ');
  switch (schema.type) {
    case 'integer':
    case 'number':
      return `${schema.type}${range(schema)}`;
    case 'string':
      return schema.pattern === undefined ? `string${lengths(schema)}` : `string that matches ${schema.pattern}`;
    case 'array':
      return `array of ${describe(schema.items ?? {})}`;
    case 'object':
      return schema.patternProperties
        ? `map of ${describe(Object.values(schema.patternProperties)[0] ?? {})}`
        : 'object';
    default:
      return schema.type ?? 'value';
  }
}

/** Puts "a" or "an" in front of words, and nothing in front of a literal. */
export function article(words: string): string {
  if (!/^[a-z]/.test(words) || words === 'null') return words;
  return `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
}

function range({ minimum, maximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? '' : ` of at most ${maximum}`;
}

function lengths({ minLength, maxLength }: Schema): string {
  if (minLength !== undefined) return ` of at least ${minLength} characters`;
  return maxLength === undefined ? '' : ` of at most ${maxLength} characters`;
}
