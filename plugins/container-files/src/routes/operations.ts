import { content, named, type Operations, parameter } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';

const path = parameter.requiredText('in the container');

const Changes = Type.Union([
  Type.Array(
    named(
      'FileChange',
      Type.Object({
        Path: Type.String(),
        Kind: Type.Integer({ minimum: 0, maximum: 2, description: '0 changed, 1 added, 2 deleted' }),
      }),
    ),
  ),
  Type.Null(),
]);

/** What the routes of files in containers do. */
export const operations: Operations = {
  'HEAD /containers/:id/archive': {
    summary: 'Describes a file, as JSON in base64 in the header X-Engine-Container-Path-Stat',
    query: { path },
    answers: { 200: content.none },
  },
  'GET /containers/:id/archive': {
    summary: 'Archives a file, or a directory with what is below it',
    query: { path },
    answers: { 200: content.archive },
  },
  'PUT /containers/:id/archive': {
    summary: 'Unpacks an archive in a directory',
    query: {
      path: parameter.requiredText('the directory'),
      noOverwriteDirNonDir: parameter.flag('refuse to replace a directory by something else, and the reverse'),
      copyUIDGID: parameter.flag('files get the owner that the archive names'),
    },
    body: content.archive,
    answers: { 200: content.none },
  },
  'GET /containers/:id/changes': {
    summary: 'Lists what differs from the image',
    answers: { 200: content.json(Changes) },
  },
  'GET /containers/:id/export': {
    summary: 'Archives the root file system of a container',
    answers: { 200: content.archive },
  },
};
