import { Type } from '@sinclair/typebox';

export const configSchema = Type.Object({
  server: Type.String({
    default: 'Docker/1.12.6-gantry (linux)',
    description: 'the Server header; Docker clients read the operating system from its end',
  }),
});

export type DialectConfig = typeof configSchema.static;
