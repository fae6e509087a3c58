import { type Static, Type } from '@sinclair/typebox';

/** What holds for containers that do not say otherwise in their log options of the same names. */
export const configSchema = Type.Object(
  {
    'max-size': Type.String({
      default: '100m',
      description: 'A log file is put aside when it has this size; "-1" never. Powers of 1000: k, m, g.',
    }),
    'max-file': Type.Integer({
      default: 3,
      minimum: 1,
      description: 'How many files a log has at most; the oldest is deleted for a new one.',
    }),
    compress: Type.Boolean({ default: false, description: 'Files that were put aside are compressed with gzip.' }),
  },
  { additionalProperties: false },
);

export type Config = Static<typeof configSchema>;
