import { type Static, Type } from '@sinclair/typebox';

export const configSchema = Type.Object(
  {
    owner: Type.String({
      default: 'gantry',
      pattern: '^[a-zA-Z][a-zA-Z0-9_]{0,30}$',
      description:
        'mark on links that the driver creates; a second engine on the host with the same one does not start',
    }),
  },
  { additionalProperties: false },
);

export type IpvlanConfig = Static<typeof configSchema>;
