import { type Static, Type } from '@sinclair/typebox';

export const configSchema = Type.Object(
  {
    defaultBridge: Type.String({
      default: 'gantry0',
      pattern: '^[^\\s/]{1,15}$',
      description: 'interface of the default bridge network',
    }),
    table: Type.String({
      default: 'gantry',
      pattern: '^[a-zA-Z][a-zA-Z0-9_]{0,30}$',
      description: 'nftables table and mark on links; engines on one host need different ones',
    }),
    ipForward: Type.Boolean({
      default: true,
      description: 'enable IP forwarding, and enable it again when another program disables it',
    }),
    hostIp: Type.String({
      default: '',
      description: 'host address on which ports without an address are published; empty: all, IPv4 and IPv6',
    }),
    checkSeconds: Type.Number({
      default: 1,
      minimum: 0.05,
      description: 'interval of the check for rules and bridges that other programs removed',
    }),
  },
  { additionalProperties: false },
);

export type BridgeConfig = Static<typeof configSchema>;
