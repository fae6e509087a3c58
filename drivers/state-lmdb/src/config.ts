import { type Static, Type } from '@sinclair/typebox';

export const configSchema = Type.Object(
  {
    salvage: Type.Boolean({
      default: false,
      description: 'With a damaged state file: keep it, and continue with the records that can still be read.',
    }),
  },
  { additionalProperties: false },
);

export type Config = Static<typeof configSchema>;
