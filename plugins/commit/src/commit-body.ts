import { ContainerConfigBodySchema } from '@gantry/containers/service';
import { type Static, Type } from '@sinclair/typebox';

/** Spec: POST /commit, `config`: the fields of a container configuration that an image keeps. */
export const CommitBody = Type.Object({
  ...Type.Omit(ContainerConfigBodySchema, ['MacAddress', 'StopTimeout', 'ArgsEscaped']).properties,
  StopSignal: Type.Optional(Type.String()),
});
export type CommitBody = Static<typeof CommitBody>;
