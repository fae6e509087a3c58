import { type Static, Type } from '@sinclair/typebox';

/** The section `drivers["volume/__id__"]` of the daemon's configuration. */
export const configSchema = Type.Object(
  { mode: Type.String({ default: '755', pattern: '^[0-7]{3}$', description: 'of the directory of a new volume' }) },
  { additionalProperties: false },
);

export type __Name__Config = Static<typeof configSchema>;
