import { type Static, Type } from '@sinclair/typebox';

/** Defaults of the log options of the same names. */
export const configSchema = Type.Object(
  {
    'max-size': Type.String({
      default: '20m',
      description: 'A log file is rotated when it has this size; "-1" never. Powers of 1000: k, m, g.',
    }),
    'max-file': Type.Integer({
      default: 5,
      minimum: 1,
      description: 'The most files of a log; the oldest is deleted for a new one.',
    }),
    compress: Type.Boolean({ default: true, description: 'Rotated files are compressed with gzip.' }),
  },
  { additionalProperties: false },
);

export type LocalConfig = Static<typeof configSchema>;
