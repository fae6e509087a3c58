import { readConsoleSize } from '@gantry/containers/service';
import { parseDetachKeys } from '@gantry/core/streams';
import { type Static, Type } from '@sinclair/typebox';
import type { ExecInspectInfo } from 'dockerode';
import type { Exec, ExecConfig } from './exec-record.js';

const optional = {
  boolean: Type.Optional(Type.Boolean()),
  string: Type.Optional(Type.String()),
  strings: Type.Optional(Type.Array(Type.String())),
  size: Type.Optional(Type.Union([Type.Array(Type.Integer()), Type.Null()])),
};

/** Spec: POST /containers/(id)/exec; Env, WorkingDir and ConsoleSize are what later clients send. */
export const CreateBody = Type.Object({
  AttachStdin: optional.boolean,
  AttachStdout: optional.boolean,
  AttachStderr: optional.boolean,
  DetachKeys: optional.string,
  Tty: optional.boolean,
  Cmd: Type.Optional(Type.Union([Type.Array(Type.String()), Type.String()])),
  Privileged: optional.boolean,
  User: optional.string,
  Env: optional.strings,
  WorkingDir: optional.string,
  ConsoleSize: optional.size,
});

/** Spec: POST /exec/(id)/start. */
export const StartBody = Type.Object({
  Detach: optional.boolean,
  Tty: optional.boolean,
  ConsoleSize: optional.size,
});

/** @throws EngineError `invalid-argument` for detach keys and sizes that are none. */
export function toExecConfig(body: Static<typeof CreateBody>): ExecConfig {
  const { Cmd: command = [], DetachKeys: detachKeys = '' } = body;
  parseDetachKeys(detachKeys, 'DetachKeys');
  const consoleSize = readConsoleSize(body.ConsoleSize);
  return {
    args: typeof command === 'string' ? [command] : command,
    attachStdin: body.AttachStdin ?? false,
    attachStdout: body.AttachStdout ?? false,
    attachStderr: body.AttachStderr ?? false,
    tty: body.Tty ?? false,
    privileged: body.Privileged ?? false,
    user: body.User ?? '',
    env: body.Env ?? [],
    workingDir: body.WorkingDir ?? '',
    detachKeys,
    ...(consoleSize && { consoleSize }),
  };
}

/** Spec: exec inspect. */
export function toInspect({ id, containerId, config, state }: Exec) {
  const [entrypoint = '', ...args] = config.args;
  return {
    ID: id,
    ContainerID: containerId,
    Running: state.status === 'running' || state.status === 'starting',
    ExitCode: state.status === 'exited' ? state.exitCode : null,
    CanRemove: state.status === 'exited',
    DetachKeys: config.detachKeys,
    OpenStdin: config.attachStdin,
    OpenStdout: config.attachStdout,
    OpenStderr: config.attachStderr,
    Pid: state.status === 'running' ? state.process.pid : state.status === 'exited' ? state.pid : 0,
    ProcessConfig: {
      entrypoint,
      arguments: args,
      tty: config.tty,
      privileged: config.privileged,
      user: config.user,
    },
  } satisfies ExecInspectInfo;
}
