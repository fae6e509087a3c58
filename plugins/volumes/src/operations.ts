import { content, named, type Operations, parameter } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';
import { CreateBody, listFilters } from './wire.js';

const textMap = Type.Record(Type.String(), Type.String());

const Volume = named(
  'VolumeDetails',
  Type.Object({
    Name: Type.String(),
    Driver: Type.String(),
    Mountpoint: Type.String(),
    Labels: Type.Union([textMap, Type.Null()]),
    Options: Type.Union([textMap, Type.Null()]),
    Scope: Type.String(),
    CreatedAt: Type.Optional(Type.String()),
    Status: Type.Optional(Type.Unknown()),
  }),
);

/** What the routes of volumes do. */
export const operations: Operations = {
  'GET /volumes': {
    summary: 'Lists volumes',
    query: { filters: parameter.filters(listFilters) },
    answers: {
      200: content.json(
        named(
          'VolumeList',
          Type.Object({
            Volumes: Type.Union([Type.Array(Volume), Type.Null()]),
            Warnings: Type.Union([Type.Array(Type.String()), Type.Null()]),
          }),
        ),
      ),
    },
  },
  'POST /volumes/create': {
    summary: 'Creates a volume, or answers with the one that has the name',
    body: { ...content.json(named('VolumeCreateBody', CreateBody)), isOptional: true },
    answers: { 201: content.json(Volume) },
  },
  'GET /volumes/*name': { summary: 'Describes a volume', answers: { 200: content.json(Volume) } },
  'PUT /volumes/*name': {
    summary: 'Refused: volumes of a cluster are not supported',
    answers: { 503: content.json(named('Error', Type.Object({ message: Type.String() }))) },
  },
  'POST /volumes/prune': {
    summary: 'Deletes volumes that no container uses',
    query: { filters: parameter.filters(['label', 'label!', 'all']) },
    answers: {
      200: content.json(
        named(
          'VolumesPruned',
          Type.Object({
            VolumesDeleted: Type.Union([Type.Array(Type.String()), Type.Null()]),
            SpaceReclaimed: Type.Integer(),
          }),
        ),
      ),
    },
  },
  'DELETE /volumes/*name': {
    summary: 'Deletes a volume',
    query: { force: parameter.flag('also where its driver does not know it any more') },
    answers: { 204: content.none },
  },
};
