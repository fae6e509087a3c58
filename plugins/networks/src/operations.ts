import { content, named, type Operations, parameter } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';
import { CreateBody, listFilters } from './wire.js';

const text = Type.String();
const textMap = Type.Record(Type.String(), Type.String());

const Network = named(
  'NetworkDetails',
  Type.Object({
    Name: text,
    Id: text,
    Created: text,
    Scope: text,
    Driver: text,
    EnableIPv4: Type.Boolean(),
    EnableIPv6: Type.Boolean(),
    IPAM: Type.Object({
      Driver: text,
      Options: Type.Union([textMap, Type.Null()]),
      Config: Type.Union([
        Type.Array(
          Type.Object({
            Subnet: Type.Optional(text),
            IPRange: Type.Optional(text),
            Gateway: Type.Optional(text),
            AuxiliaryAddresses: Type.Optional(textMap),
          }),
        ),
        Type.Null(),
      ]),
    }),
    Internal: Type.Boolean(),
    Attachable: Type.Boolean(),
    Ingress: Type.Boolean(),
    ConfigFrom: Type.Object({ Network: text }),
    ConfigOnly: Type.Boolean(),
    Containers: Type.Record(
      Type.String(),
      Type.Object({ Name: text, EndpointID: text, MacAddress: text, IPv4Address: text, IPv6Address: text }),
    ),
    Options: Type.Union([textMap, Type.Null()]),
    Labels: Type.Union([textMap, Type.Null()]),
    Peers: Type.Optional(Type.Array(Type.Object({ Name: text, IP: text }))),
  }),
);

/** What the routes of networks do. */
export const operations: Operations = {
  'GET /networks': {
    summary: 'Lists networks',
    query: { filters: parameter.filters(listFilters) },
    answers: { 200: content.json(Type.Array(Network)) },
  },
  'GET /networks/:id': {
    summary: 'Describes a network',
    query: {
      verbose: parameter.flag('accepted for clients of swarms, without effect'),
      scope: parameter.text('local or swarm: of two networks with the name, this one'),
    },
    answers: { 200: content.json(Network) },
  },
  'POST /networks/create': {
    summary: 'Creates a network',
    body: content.json(named('NetworkCreateBody', CreateBody)),
    answers: { 201: content.json(named('NetworkCreated', Type.Object({ Id: text, Warning: text }))) },
  },
  'POST /networks/prune': {
    summary: 'Removes networks without containers',
    query: { filters: parameter.filters(['label', 'label!', 'until']) },
    answers: {
      200: content.json(
        named('NetworksPruned', Type.Object({ NetworksDeleted: Type.Union([Type.Array(text), Type.Null()]) })),
      ),
    },
  },
  'DELETE /networks/:id': { summary: 'Removes a network', answers: { 204: content.none } },
};
