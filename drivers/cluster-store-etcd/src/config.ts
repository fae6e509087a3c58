import { type Static, Type } from '@sinclair/typebox';

export const configSchema = Type.Object(
  {
    program: Type.String({ default: 'etcd', description: "etcd's name, or its path" }),
    quotaBytes: Type.Integer({
      default: 2 * 1024 ** 3,
      minimum: 16 * 1024 ** 2,
      description: 'how large the store may become',
    }),
  },
  { additionalProperties: false },
);

export type EtcdConfig = Static<typeof configSchema>;
