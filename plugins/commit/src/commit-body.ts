import { type Static, Type } from '@sinclair/typebox';

const text = Type.Optional(Type.String());
const flag = Type.Optional(Type.Boolean());
const texts = Type.Optional(Type.Array(Type.String()));
const pathSet = Type.Optional(Type.Record(Type.String(), Type.Object({})));
const time = Type.Optional(Type.Integer());

/** Spec: POST /commit, `config`: the fields of a container configuration that an image keeps. */
export const CommitBody = Type.Object({
  Hostname: text,
  Domainname: text,
  User: text,
  AttachStdin: flag,
  AttachStdout: flag,
  AttachStderr: flag,
  Tty: flag,
  OpenStdin: flag,
  StdinOnce: flag,
  Env: texts,
  Cmd: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
  Entrypoint: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
  Image: text,
  Labels: Type.Optional(Type.Record(Type.String(), Type.String())),
  Volumes: pathSet,
  WorkingDir: text,
  NetworkDisabled: flag,
  ExposedPorts: pathSet,
  StopSignal: text,
  Healthcheck: Type.Optional(
    Type.Object({ Test: texts, Interval: time, Timeout: time, StartPeriod: time, Retries: time }),
  ),
  OnBuild: texts,
  Shell: texts,
});
export type CommitBody = Static<typeof CommitBody>;
