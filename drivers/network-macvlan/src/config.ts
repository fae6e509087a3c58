import { type Static, Type } from '@sinclair/typebox';

export const configSchema = Type.Object(
  {
    owner: Type.String({
      default: 'gantry',
      pattern: '^[a-zA-Z][a-zA-Z0-9_]{0,30}$',
      description: 'mark on links that the driver creates; engines on one host need different ones',
    }),
  },
  { additionalProperties: false },
);

export type MacvlanConfig = Static<typeof configSchema>;
