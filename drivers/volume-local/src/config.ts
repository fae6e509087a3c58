import { type Static, Type } from '@sinclair/typebox';

export const configSchema = Type.Object(
  {
    mountSeconds: Type.Number({
      default: 30,
      minimum: 1,
      description: 'timeout of mounting and unmounting the file system of a volume with options',
    }),
  },
  { additionalProperties: false },
);

export type LocalVolumesConfig = Static<typeof configSchema>;
