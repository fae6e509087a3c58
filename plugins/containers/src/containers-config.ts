import { Type } from '@sinclair/typebox';

export const configSchema = Type.Object({
  cgroupParent: Type.Optional(
    Type.String({ description: "parent of the control groups of containers; the runtime driver's own by default" }),
  ),
  cdiSpecDirectories: Type.Array(Type.String({ pattern: '^/.' }), {
    default: ['/etc/cdi', '/var/run/cdi'],
    description: 'where vendors describe devices by the Container Device Interface; later directories come first',
  }),
  selinux: Type.Boolean({
    default: true,
    description: 'label containers and what they mount where the host has SELinux with contexts for containers',
  }),
  initPath: Type.String({
    default: '/usr/bin/tini-static',
    pattern: '^/.',
    description:
      'init program for containers with `Init`; it runs inside of any image, so it must be statically linked',
  }),
});

export type ContainersConfig = typeof configSchema.static;
