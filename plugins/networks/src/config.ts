import { type Static, Type } from '@sinclair/typebox';

export const configSchema = Type.Object({
  bridgeSubnet: Type.Optional(
    Type.String({ description: 'CIDR of the network called bridge, used when it is first created' }),
  ),
  fallbackNameServers: Type.Array(Type.String({ pattern: '^[0-9A-Fa-f.:]+$' }), {
    default: ['8.8.8.8', '8.8.4.4'],
    description: 'for containers on hosts that have no name server but on their loopback',
  }),
});

export type NetworksConfig = Static<typeof configSchema>;
