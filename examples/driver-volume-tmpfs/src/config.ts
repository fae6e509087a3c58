import { type Static, Type } from '@sinclair/typebox';

export const configSchema = Type.Object(
  { size: Type.String({ default: '64m', description: 'of a volume made without the option "size"' }) },
  { additionalProperties: false },
);

export type TmpfsVolumesConfig = Static<typeof configSchema>;
