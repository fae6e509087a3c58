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
      description: 'switch forwarding on, and on again when somebody switches it off',
    }),
    hostIp: Type.String({
      default: '',
      description: 'host address that ports are published on when none is named; empty: every one, IPv4 and IPv6',
    }),
    checkSeconds: Type.Number({
      default: 1,
      minimum: 0.05,
      description: 'how often to look whether somebody has taken rules or bridges away',
    }),
  },
  { additionalProperties: false },
);

export type Config = Static<typeof configSchema>;
