import { content, named, type Operations, parameter } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';
import { ConnectBodySchema, CreateBodySchema, DisconnectBodySchema, UpdateBodySchema } from '../schema.js';
import { listFilters } from '../wire/parse-list.js';
import { ContainerDetails, ContainerSummary } from './answers.js';

const { flag, whole, text, filters } = parameter;

const warnings = Type.Union([Type.Array(Type.String()), Type.Null()]);

const size = { h: whole('rows'), w: whole('columns') };

const attaching = {
  logs: flag('what was written before, too'),
  stream: flag('what is written from now on'),
  stdin: flag('connect standard input'),
  stdout: flag('send standard output'),
  stderr: flag('send standard error'),
  detachKeys: text('keys that detach, such as ctrl-p,ctrl-q'),
};

const stopping = {
  t: whole('seconds before SIGKILL'),
  signal: text('in place of the stop signal of the container'),
};

/** What the routes of containers do. */
export const operations: Operations = {
  'GET /containers/json': {
    summary: 'Lists containers',
    query: {
      all: flag('those that do not run, too'),
      size: flag('with the sizes of their files'),
      limit: whole('so many of the newest, whatever their state'),
      since: text('only those that were created after this one'),
      before: text('only those that were created before this one'),
      filters: filters(listFilters),
    },
    answers: { 200: content.json(Type.Array(ContainerSummary)) },
  },
  'POST /containers/create': {
    summary: 'Creates a container',
    query: { name: text('of the container'), platform: text('such as linux/arm64') },
    body: content.json(named('ContainerCreateBody', CreateBodySchema)),
    answers: {
      201: content.json(named('ContainerCreated', Type.Object({ Id: Type.String(), Warnings: warnings }))),
    },
  },
  'GET /containers/:id/json': {
    summary: 'Describes a container',
    query: { size: flag('with the sizes of its files') },
    answers: { 200: content.json(ContainerDetails) },
  },
  'GET /containers/:id/top': {
    summary: 'Lists the processes of a container',
    query: { ps_args: text('arguments of ps') },
    answers: {
      200: content.json(
        named(
          'ProcessList',
          Type.Object({ Titles: Type.Array(Type.String()), Processes: Type.Array(Type.Array(Type.String())) }),
        ),
      ),
    },
  },
  'POST /containers/:id/start': {
    summary: 'Starts a container; 304 when it runs already',
    query: { detachKeys: text('keys that detach clients, such as ctrl-p,ctrl-q') },
    answers: { 204: content.none, 304: content.none },
  },
  'POST /containers/:id/stop': {
    summary: 'Stops a container; 304 when it does not run',
    query: stopping,
    answers: { 204: content.none, 304: content.none },
  },
  'POST /containers/:id/restart': {
    summary: 'Stops a container and starts it again',
    query: stopping,
    answers: { 204: content.none },
  },
  'POST /containers/:id/kill': {
    summary: 'Sends a signal to a container',
    query: { signal: text('name or number; default SIGKILL') },
    answers: { 204: content.none },
  },
  'POST /containers/:id/wait': {
    summary: 'Waits for the exit of a container; the head of the answer comes when the engine waits',
    query: { condition: text('not-running (the default), next-exit or removed') },
    answers: {
      200: content.json(
        named(
          'ExitStatus',
          Type.Object({
            StatusCode: Type.Integer(),
            Error: Type.Optional(Type.Union([Type.Object({ Message: Type.String() }), Type.Null()])),
          }),
        ),
      ),
    },
  },
  'POST /containers/:id/pause': { summary: 'Freezes the processes of a container', answers: { 204: content.none } },
  'POST /containers/:id/unpause': { summary: 'Thaws them', answers: { 204: content.none } },
  'POST /containers/:id/attach': {
    summary: 'Connects with the streams of a container; the connection is raw behind the head',
    query: attaching,
    answers: { 101: content.output, 200: content.output },
  },
  'GET /containers/:id/attach/ws': {
    summary: 'The same over a WebSocket, whose messages are raw output and input',
    query: attaching,
    answers: { 101: content.raw },
  },
  'POST /containers/:id/resize': {
    summary: 'Resizes the terminal of a container',
    query: size,
    answers: { 200: content.none },
  },
  'POST /containers/:id/update': {
    summary: 'Changes limits and the restart policy of a container',
    body: content.json(named('ContainerUpdateBody', UpdateBodySchema)),
    answers: { 200: content.json(named('ContainerUpdated', Type.Object({ Warnings: warnings }))) },
  },
  'POST /containers/:id/rename': {
    summary: 'Renames a container',
    query: { name: text('the new name') },
    answers: { 204: content.none },
  },
  'POST /containers/prune': {
    summary: 'Removes containers that do not run',
    query: { filters: filters(['label', 'label!', 'until']) },
    answers: {
      200: content.json(
        named('ContainersPruned', Type.Object({ ContainersDeleted: warnings, SpaceReclaimed: Type.Integer() })),
      ),
    },
  },
  'DELETE /containers/*name': {
    summary: 'Removes a container',
    query: {
      force: flag('also while it runs'),
      v: flag('with its anonymous volumes'),
      link: flag('the name is that of a link, CONTAINER/ALIAS, and only the link is removed'),
    },
    answers: { 204: content.none },
  },
  'POST /networks/:id/connect': {
    summary: 'Connects a container with a network',
    body: content.json(named('NetworkConnectBody', ConnectBodySchema)),
    answers: { 200: content.none },
  },
  'POST /networks/:id/disconnect': {
    summary: 'Disconnects a container from a network',
    body: content.json(named('NetworkDisconnectBody', DisconnectBodySchema)),
    answers: { 200: content.none },
  },
};
