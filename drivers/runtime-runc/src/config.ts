import { type Static, Type } from '@sinclair/typebox';

const deadline = (milliseconds: number, what: string) =>
  Type.Integer({ minimum: 1, default: milliseconds, description: `milliseconds ${what}` });

export const configSchema = Type.Object({
  runtimes: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Object({
        path: Type.String({ minLength: 1 }),
        args: Type.Optional(Type.Array(Type.String())),
      }),
      { description: 'OCI runtimes by name: a path, or a program to look for, and arguments that go before the verb' },
    ),
  ),
  default: Type.Optional(
    Type.String({ description: 'name of the runtime to use; the first of crun and runc that works by default' }),
  ),
  conmon: Type.String({ default: 'conmon', description: 'path of conmon, or the program to look for' }),
  cgroupParent: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'where tasks that name no cgroup get theirs: /gantry, or with systemd system.slice, by default',
    }),
  ),
  cgroupDriver: Type.Optional(
    Type.Union([Type.Literal('cgroupfs'), Type.Literal('systemd')], {
      description: 'what creates cgroups; systemd by default where it is the init system and cgroups are version 2',
    }),
  ),
  deadlines: Type.Object(
    {
      create: deadline(20_000, 'for the runtime to prepare a task'),
      start: deadline(10_000, 'for a prepared task to run its program'),
      exec: deadline(20_000, 'for the runtime to start a further process'),
      exit: deadline(10_000, 'for a killed task to be gone'),
      control: deadline(10_000, 'for pause, update and other changes to a running task'),
      probe: deadline(10_000, 'for a runtime to prove that it works on this host'),
    },
    { default: {}, description: 'how long to wait before giving up with a reason' },
  ),
});

export type RuntimeConfig = Static<typeof configSchema>;
