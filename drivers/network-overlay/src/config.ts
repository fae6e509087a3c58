import { type Static, Type } from '@sinclair/typebox';

export const configSchema = Type.Object(
  {
    checkSeconds: Type.Number({
      default: 5,
      minimum: 0.05,
      description: 'interval of the check for tunnels and entries of peers that other programs changed',
    }),
  },
  { additionalProperties: false },
);

export type OverlayConfig = Static<typeof configSchema>;
