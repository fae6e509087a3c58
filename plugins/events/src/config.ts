import { Type } from '@sinclair/typebox';

export const configSchema = Type.Object({
  segmentBytes: Type.Integer({ default: 2 ** 20, minimum: 4096, description: 'of one file of the history' }),
  segments: Type.Integer({ default: 4, minimum: 2, description: 'files of the history that are kept' }),
});

export type EventsConfig = typeof configSchema.static;
