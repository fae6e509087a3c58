import { Type } from '@sinclair/typebox';

export const configSchema = Type.Object({
  labels: Type.Array(Type.String(), { default: [], description: 'what info shows as Labels, key=value each' }),
  debug: Type.Boolean({ default: false, description: 'what info shows as Debug' }),
});

export type SystemConfig = typeof configSchema.static;
