import { content, named, type Operations, parameter } from '@gantry/core/http';
import { type TSchema, Type } from '@sinclair/typebox';
import { listFilters } from './inspection-routes.js';

const { flag, text, texts } = parameter;
const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const words = Type.Array(Type.String());
const textMap = Type.Record(Type.String(), Type.String());

const Summary = named(
  'ImageSummary',
  Type.Object({
    Id: Type.String(),
    ParentId: Type.String(),
    RepoTags: nullable(words),
    RepoDigests: nullable(words),
    Created: Type.Integer({ description: 'seconds since 1970' }),
    Size: Type.Integer(),
    SharedSize: Type.Integer({ description: '-1 where it was not asked for' }),
    Containers: Type.Integer(),
    Labels: nullable(textMap),
  }),
);

const Details = named(
  'ImageDetails',
  Type.Object({
    Id: Type.String(),
    RepoTags: words,
    RepoDigests: words,
    Parent: Type.String(),
    Comment: Type.String(),
    Created: Type.String(),
    Author: Type.String(),
    Config: Type.Object({
      User: Type.Optional(Type.String()),
      Env: nullable(words),
      Cmd: nullable(words),
      Entrypoint: nullable(words),
      WorkingDir: Type.String(),
      Labels: nullable(textMap),
      ExposedPorts: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
    Architecture: Type.String(),
    Os: Type.String(),
    Size: Type.Integer(),
    GraphDriver: Type.Object({ Name: Type.String(), Data: nullable(textMap) }),
    RootFS: Type.Object({ Type: Type.String(), Layers: words }),
    Metadata: Type.Object({ LastTagTime: Type.String() }),
  }),
);

const Removed = named(
  'ImageRemoved',
  Type.Object({ Untagged: Type.Optional(Type.String()), Deleted: Type.Optional(Type.String()) }),
);

const History = named(
  'ImageHistoryItem',
  Type.Object({
    Id: Type.String(),
    Created: Type.Integer(),
    CreatedBy: Type.String(),
    Tags: nullable(words),
    Size: Type.Integer(),
    Comment: Type.String(),
  }),
);

/** Of pulls, pushes, loads and builds. */
const Progress = named(
  'ProgressItem',
  Type.Object({
    id: Type.Optional(Type.String()),
    status: Type.Optional(Type.String()),
    stream: Type.Optional(Type.String()),
    progress: Type.Optional(Type.String()),
    progressDetail: Type.Optional(
      Type.Object({ current: Type.Optional(Type.Integer()), total: Type.Optional(Type.Integer()) }),
    ),
    error: Type.Optional(Type.String({ description: 'the last object of what failed' })),
    errorDetail: Type.Optional(Type.Object({ message: Type.String(), code: Type.Optional(Type.Integer()) })),
    aux: Type.Optional(Type.Unknown()),
  }),
);

const platform = texts('JSON of a platform, such as {"os":"linux","architecture":"arm64"}');
const auth = { 'X-Registry-Auth': text('credentials: JSON in base64') };

/** What the routes of images do. */
export const operations: Operations = {
  'GET /images/json': {
    summary: 'Lists images',
    query: {
      all: flag('also those that only others are made of'),
      filters: parameter.filters(listFilters),
      filter: text('only images with this name'),
      'shared-size': flag('with what they share with others'),
    },
    answers: { 200: content.json(Type.Array(Summary)) },
  },
  'GET /images/*name/json': {
    summary: 'Describes an image',
    query: { platform, manifests: flag('not with a platform; the answer is the same') },
    answers: { 200: content.json(Details) },
  },
  'GET /images/*name/history': {
    summary: 'Lists the steps that an image was made by',
    query: { platform },
    answers: { 200: content.json(Type.Array(History)) },
  },
  'POST /images/create': {
    summary: 'Pulls an image, or imports an archive as one',
    query: {
      fromImage: text('repository to pull from'),
      tag: text('tag or digest; all tags without it'),
      fromSrc: text('URL of an archive to import, or - for the body'),
      repo: text('repository of an imported image'),
      message: text('for the history of an imported image'),
      changes: texts('instructions of a Dockerfile for an imported image'),
      platform: text('such as linux/arm64'),
    },
    headers: auth,
    body: { ...content.archive, isOptional: true },
    answers: { 200: content.lines(Progress) },
  },
  'POST /images/load': {
    summary: 'Loads images from an archive',
    query: { quiet: flag('without progress'), platform },
    body: content.archive,
    answers: { 200: content.lines(Progress) },
  },
  'GET /images/get': {
    summary: 'Archives images',
    query: { names: texts('of the images'), platform },
    answers: { 200: content.archive },
  },
  'GET /images/*name/get': { summary: 'Archives an image', query: { platform }, answers: { 200: content.archive } },
  'POST /images/*name/tag': {
    summary: 'Gives an image a further name',
    query: { repo: text('repository'), tag: text('default latest') },
    answers: { 201: content.none },
  },
  'POST /images/prune': {
    summary: 'Deletes images without a name, or that no container uses',
    query: { filters: parameter.filters(['dangling', 'label', 'label!', 'until']) },
    answers: {
      200: content.json(
        named(
          'ImagesPruned',
          Type.Object({ ImagesDeleted: nullable(Type.Array(Removed)), SpaceReclaimed: Type.Integer() }),
        ),
      ),
    },
  },
  'DELETE /images/*name': {
    summary: 'Removes a name of an image, and the image with its last one',
    query: {
      force: flag('also when stopped containers use it'),
      noprune: flag('keep images that it was made of'),
      platforms: platform,
    },
    answers: { 200: content.json(Type.Array(Removed)) },
  },
};
