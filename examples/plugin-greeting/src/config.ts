import { type Static, Type } from '@sinclair/typebox';

/** The section `plugins.greeting` of the configuration. */
export const configSchema = Type.Object(
  { text: Type.String({ default: 'hello', minLength: 1, description: 'what precedes the name' }) },
  { additionalProperties: false },
);

export type GreetingConfig = Static<typeof configSchema>;
