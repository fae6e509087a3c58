import { type Static, Type } from '@sinclair/typebox';

export const configSchema = Type.Object({
  bridgeSubnet: Type.Optional(
    Type.String({ description: 'CIDR of the network called bridge, used when it is first created' }),
  ),
});

export type NetworksConfig = Static<typeof configSchema>;
