import { Type } from '@sinclair/typebox';

export const configSchema = Type.Object({}, { additionalProperties: false });
