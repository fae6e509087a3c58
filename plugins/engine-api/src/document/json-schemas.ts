import type { TSchema } from '@sinclair/typebox';

/** JSON Schema as an OpenAPI document has it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Collects the schemas that have names, so that each stands in the document once. */
export class JsonSchemas {
  readonly #named = new Map<string, { readonly schema: JsonSchema; readonly text: string }>();

  /** Those so far, by name. */
  get named(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.#named].sort().map(([name, { schema }]) => [name, schema]));
  }

  /** A schema for the document: a reference when it has a name. @throws TypeError when two have the same. */
  add(schema: TSchema): JsonSchema {
    const { $id: name, ...plain } = this.#plain(schema) as { readonly $id?: string };
    if (name === undefined) return plain;
    const text = JSON.stringify(plain);
    const known = this.#named.get(name);
    if (known !== undefined && known.text !== text) throw new TypeError(`two schemas are called ${name}`);
    this.#named.set(name, { schema: plain, text });
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Without what only TypeBox understands; maps have additional properties. */
  #plain(schema: TSchema): JsonSchema {
    const plain: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'properties') plain[key] = this.#each(value);
      else if (key === 'patternProperties')
        plain.additionalProperties = this.add(Object.values<TSchema>(value)[0] ?? ({} as TSchema));
      else if (key === 'items' || key === 'contentSchema') plain[key] = this.add(value);
      else if (key === 'anyOf' || key === 'allOf')
        plain[key] = (value as readonly TSchema[]).map((each) => this.add(each));
      else plain[key] = value;
    }
    return plain;
  }

  #each(properties: Readonly<Record<string, TSchema>>): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, this.add(schema)]));
  }
}
