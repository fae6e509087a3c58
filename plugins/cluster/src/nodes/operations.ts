import { content, named, type Operations, parameter } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';
import { recordFields, TlsInfo, versionParameter as version } from '../wire/record-fields.js';
import { NodeSpecBody, listFilters as nodeFilters } from './node-wire.js';

const { flag } = parameter;
const text = Type.String();
const NodeSpec = named('NodeSpec', NodeSpecBody);

const Description = Type.Object({
  Hostname: text,
  Platform: Type.Object({ Architecture: text, OS: text }),
  Resources: Type.Object({
    NanoCPUs: Type.Integer(),
    MemoryBytes: Type.Integer(),
    GenericResources: Type.Optional(
      Type.Array(
        Type.Object({
          NamedResourceSpec: Type.Optional(Type.Object({ Kind: text, Value: text })),
          DiscreteResourceSpec: Type.Optional(Type.Object({ Kind: text, Value: Type.Integer() })),
        }),
      ),
    ),
  }),
  Engine: Type.Object({
    EngineVersion: text,
    Labels: Type.Record(Type.String(), text),
    Plugins: Type.Array(Type.Object({ Type: text, Name: text })),
  }),
  TLSInfo: Type.Optional(TlsInfo),
});

const Node = named(
  'NodeDetails',
  Type.Object({
    ...recordFields,
    Spec: NodeSpec,
    Description,
    Status: Type.Object({ State: text, Message: Type.Optional(text), Addr: text }),
    ManagerStatus: Type.Optional(
      Type.Object({ Leader: Type.Optional(Type.Boolean()), Reachability: text, Addr: text }),
    ),
  }),
);

/** What the routes of nodes do. */
export const operations: Operations = {
  'GET /nodes': {
    summary: 'Lists nodes',
    query: { filters: parameter.filters(nodeFilters) },
    answers: { 200: content.json(Type.Array(Node)) },
  },
  'GET /nodes/:id': { summary: 'Describes a node', answers: { 200: content.json(Node) } },
  'DELETE /nodes/:id': {
    summary: 'Removes a node',
    query: { force: flag('also one that is not down') },
    answers: { 200: content.none },
  },
  'POST /nodes/:id/update': {
    summary: 'Changes a node',
    query: { version },
    body: content.json(NodeSpec),
    answers: { 200: content.none },
  },
};
