import { type Static, Type } from '@sinclair/typebox';

/** The section `plugins["__id__"]` of the daemon's configuration. */
export const configSchema = Type.Object(
  { every: Type.Integer({ default: 100, minimum: 1, description: 'starts of containers from one event to the next' }) },
  { additionalProperties: false },
);

export type __Name__Config = Static<typeof configSchema>;
