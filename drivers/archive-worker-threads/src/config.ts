import { type Static, Type } from '@sinclair/typebox';

export const configSchema = Type.Object(
  {
    idleSeconds: Type.Number({
      description: 'How long a thread without work is kept. All but one end when the engine is idle after work.',
      default: 60,
      minimum: 0,
    }),
    stallSeconds: Type.Number({
      description: 'How long a client may neither send nor read while others wait for its thread.',
      default: 30,
      minimum: 0.1,
    }),
  },
  { additionalProperties: false },
);

export type ArchiveConfig = Static<typeof configSchema>;
