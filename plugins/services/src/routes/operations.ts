import { content, named, type Operations, parameter } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';
import { ServiceSpecSchema } from '../spec/service-spec.js';
import { serviceFilters } from './list-services.js';
import { taskFilters } from './list-tasks.js';

const { flag, text } = parameter;
const spec = content.json(named('ServiceSpec', ServiceSpecSchema));
const auth = { 'X-Registry-Auth': text('credentials: JSON in base64') };
const warnings = Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()]));
const record = {
  ID: Type.String(),
  Version: Type.Object({ Index: Type.Integer() }),
  CreatedAt: Type.String(),
  UpdatedAt: Type.String(),
};

const Service = named(
  'ServiceDetails',
  Type.Object({
    ...record,
    Spec: Type.Record(Type.String(), Type.Unknown(), { description: 'as ServiceSpec, completed' }),
    Endpoint: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    ServiceStatus: Type.Optional(Type.Object({ RunningTasks: Type.Integer(), DesiredTasks: Type.Integer() })),
  }),
);

const Task = named(
  'TaskDetails',
  Type.Object({
    ...record,
    Spec: Type.Record(Type.String(), Type.Unknown()),
    ServiceID: Type.String(),
    NodeID: Type.Optional(Type.String()),
    Status: Type.Record(Type.String(), Type.Unknown()),
    DesiredState: Type.String(),
  }),
);

/** What the routes of services and tasks do. */
export const operations: Operations = {
  'GET /services': {
    summary: 'Lists services',
    query: { filters: parameter.filters(serviceFilters), status: flag('with the numbers of their tasks') },
    answers: { 200: content.json(Type.Array(Service)) },
  },
  'POST /services/create': {
    summary: 'Creates a service',
    headers: auth,
    body: spec,
    answers: { 201: content.json(named('ServiceCreated', Type.Object({ ID: Type.String(), Warnings: warnings }))) },
  },
  'GET /services/:id': {
    summary: 'Describes a service',
    query: { insertDefaults: flag('with values that were not given') },
    answers: { 200: content.json(Service) },
  },
  'DELETE /services/:id': { summary: 'Removes a service with its tasks', answers: { 200: content.none } },
  'POST /services/:id/update': {
    summary: 'Changes a service',
    query: {
      version: parameter.requiredWhole('of the record that was read'),
      rollback: text('previous: return to the specification before'),
      registryAuthFrom: text('spec or previous-spec'),
    },
    headers: auth,
    body: spec,
    answers: { 200: content.json(named('ServiceUpdated', Type.Object({ Warnings: warnings }))) },
  },
  'GET /tasks': {
    summary: 'Lists tasks',
    query: { filters: parameter.filters(taskFilters) },
    answers: { 200: content.json(Type.Array(Task)) },
  },
  'GET /tasks/:id': { summary: 'Describes a task', answers: { 200: content.json(Task) } },
};
