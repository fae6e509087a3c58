import { content, named, type Operations, parameter } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';
import { CreateBody, StartBody } from './wire.js';

const ExecDetails = named(
  'ExecDetails',
  Type.Object({
    ID: Type.String(),
    ContainerID: Type.String(),
    Running: Type.Boolean(),
    ExitCode: Type.Union([Type.Integer(), Type.Null()]),
    CanRemove: Type.Boolean(),
    DetachKeys: Type.String(),
    OpenStdin: Type.Boolean(),
    OpenStdout: Type.Boolean(),
    OpenStderr: Type.Boolean(),
    Pid: Type.Integer(),
    ProcessConfig: Type.Object({
      entrypoint: Type.String(),
      arguments: Type.Array(Type.String()),
      tty: Type.Boolean(),
      privileged: Type.Optional(Type.Boolean()),
      user: Type.Optional(Type.String()),
    }),
  }),
);

/** What the routes of execs do. */
export const operations: Operations = {
  'POST /containers/:id/exec': {
    summary: 'Prepares a further process in a container',
    body: content.json(named('ExecCreateBody', CreateBody)),
    answers: {
      201: content.json(
        named('ExecCreated', Type.Object({ Id: Type.String(), Warnings: Type.Optional(Type.Array(Type.String())) })),
      ),
    },
  },
  'POST /exec/:id/start': {
    summary: 'Starts it; unless detached, the connection is raw behind the head',
    body: { ...content.json(named('ExecStartBody', StartBody)), isOptional: true },
    answers: { 101: content.output, 200: content.output },
  },
  'POST /exec/:id/resize': {
    summary: 'Resizes its terminal',
    query: { h: parameter.requiredWhole('rows'), w: parameter.requiredWhole('columns') },
    answers: { 201: content.none },
  },
  'GET /exec/:id/json': { summary: 'Describes it', answers: { 200: content.json(ExecDetails) } },
};
