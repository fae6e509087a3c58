import { content, named, type Operations, parameter } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';
import { recordFields, versionParameter as version } from '../wire/record-fields.js';
import { NodeSpecBody, listFilters as nodeFilters } from './node-wire.js';

const { flag } = parameter;
const other = Type.Record(Type.String(), Type.Unknown());

const Node = named(
  'NodeDetails',
  Type.Object({ ...recordFields, Spec: other, Description: other, Status: other, ManagerStatus: Type.Optional(other) }),
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
    body: content.json(named('NodeSpec', NodeSpecBody)),
    answers: { 200: content.none },
  },
};
