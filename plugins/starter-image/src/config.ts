import { type Static, Type } from '@sinclair/typebox';

export const configSchema = Type.Object({
  program: Type.String({ default: '/bin/busybox', description: 'the static busybox to make the image from' }),
  reference: Type.String({ default: 'busybox:latest', description: 'the name of the image' }),
});

export type StarterImageConfig = Static<typeof configSchema>;
