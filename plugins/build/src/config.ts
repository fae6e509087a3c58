import { type Static, Type } from '@sinclair/typebox';

const bytes = (description: string, value: number) =>
  Type.Integer({ minimum: 0, default: value, description: `${description}, in bytes; 0 for no limit.` });

export const configSchema = Type.Object(
  {
    gc: Type.Object(
      {
        enabled: Type.Boolean({ default: true, description: 'Keep build caches to these limits after each build.' }),
        reservedSpace: bytes('What is kept in any case', 0),
        maxUsedSpace: bytes('Most space of all caches together', 10 * 2 ** 30),
        minFreeSpace: bytes('Space of the disk that stays free', 0),
        keepDuration: Type.Integer({
          minimum: 0,
          default: 0,
          description: 'Seconds since its last use for which a cache is kept in any case.',
        }),
      },
      { default: {}, additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);

export type BuildConfig = Static<typeof configSchema>;
