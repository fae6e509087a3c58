import { Type } from '@sinclair/typebox';

export const configSchema = Type.Object(
  {
    mountSeconds: Type.Number({
      default: 30,
      minimum: 1,
      description: 'how long a file system that options describe may take to be mounted or unmounted',
    }),
  },
  { additionalProperties: false },
);
