import { type Static, Type } from '@sinclair/typebox';

export const configSchema = Type.Object(
  {
    namespace: Type.String({
      default: '',
      pattern: '^[A-Za-z0-9_.-]*$',
      description: 'The journal namespace to write to and to read from; empty: the journal of the host.',
    }),
    journalctl: Type.String({ default: 'journalctl', description: 'The program that reads the journal.' }),
  },
  { additionalProperties: false },
);

export type Config = Static<typeof configSchema>;
