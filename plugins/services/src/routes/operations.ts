import { content, named, type Operations, parameter } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';
import {
  EndpointSpecSchema,
  GenericResourceSchema,
  PortSchema,
  ServiceSpecSchema,
  TaskSpecSchema,
} from '../spec/service-spec.js';
import { serviceFilters } from './list-services.js';
import { taskFilters } from './list-tasks.js';

const { flag, text } = parameter;
const ServiceSpec = named('ServiceSpec', ServiceSpecSchema);
const spec = content.json(ServiceSpec);
const auth = { 'X-Registry-Auth': text('credentials: JSON in base64') };
const warnings = Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()]));
const index = Type.Object({ Index: Type.Integer() });
const textMap = Type.Record(Type.String(), Type.String());
const record = {
  ID: Type.String(),
  Version: index,
  CreatedAt: Type.String(),
  UpdatedAt: Type.String(),
};

const Service = named(
  'ServiceDetails',
  Type.Object({
    ...record,
    Spec: ServiceSpec,
    PreviousSpec: Type.Optional(ServiceSpec),
    Endpoint: Type.Object({
      Spec: EndpointSpecSchema,
      Ports: Type.Optional(Type.Array(PortSchema)),
      VirtualIPs: Type.Optional(Type.Array(Type.Object({ NetworkID: Type.String(), Addr: Type.String() }))),
    }),
    UpdateStatus: Type.Optional(
      Type.Object({
        State: Type.String(),
        StartedAt: Type.String(),
        CompletedAt: Type.Optional(Type.String()),
        Message: Type.String(),
      }),
    ),
    JobStatus: Type.Optional(Type.Object({ JobIteration: index, LastExecution: Type.String() })),
    ServiceStatus: Type.Optional(
      Type.Object({ RunningTasks: Type.Integer(), DesiredTasks: Type.Integer(), CompletedTasks: Type.Integer() }),
    ),
  }),
);

/** A network that a task is on, as a record of the swarm. */
const TaskNetwork = Type.Object({
  ...record,
  Spec: Type.Object({
    Name: Type.String(),
    Labels: textMap,
    DriverConfiguration: Type.Object({ Name: Type.String(), Options: Type.Optional(textMap) }),
    Internal: Type.Optional(Type.Boolean()),
    Attachable: Type.Optional(Type.Boolean()),
    Ingress: Type.Optional(Type.Boolean()),
    IPAMOptions: Type.Object({ Driver: Type.Object({ Name: Type.String() }) }),
    Scope: Type.String(),
  }),
  DriverState: Type.Object({ Name: Type.String(), Options: textMap }),
  IPAMOptions: Type.Object({
    Driver: Type.Object({ Name: Type.String() }),
    Configs: Type.Array(
      Type.Object({ Subnet: Type.String(), Range: Type.Optional(Type.String()), Gateway: Type.String() }),
    ),
  }),
});

const Task = named(
  'TaskDetails',
  Type.Object({
    ...record,
    Labels: textMap,
    Spec: named('TaskSpec', TaskSpecSchema),
    ServiceID: Type.String(),
    Slot: Type.Optional(Type.Integer()),
    NodeID: Type.Optional(Type.String()),
    Status: Type.Object({
      Timestamp: Type.String(),
      State: Type.String(),
      Message: Type.String(),
      Err: Type.Optional(Type.String()),
      ContainerStatus: Type.Optional(
        Type.Object({ ContainerID: Type.String(), PID: Type.Integer(), ExitCode: Type.Integer() }),
      ),
      PortStatus: Type.Object({ Ports: Type.Array(PortSchema) }),
    }),
    DesiredState: Type.String(),
    NetworksAttachments: Type.Optional(
      Type.Array(Type.Object({ Network: TaskNetwork, Addresses: Type.Array(Type.String()) })),
    ),
    GenericResources: Type.Optional(Type.Array(GenericResourceSchema)),
    JobIteration: Type.Optional(index),
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
