import { content, named, type Operation, type Operations, parameter } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';
import { recordFields, versionParameter as version } from '../wire/record-fields.js';
import { SealedSpecBody, listFilters as sealedFilters } from './sealed-wire.js';

const Created = named('ObjectCreated', Type.Object({ ID: Type.String() }));

const SealedSpec = named('SealedSpec', SealedSpecBody);
const Sealed = named('SealedDetails', Type.Object({ ...recordFields, Spec: SealedSpec }));
const sealedSpec = content.json(SealedSpec);

const sealed = (collection: string, one: string): Readonly<Record<string, Operation>> => ({
  [`GET /${collection}`]: {
    summary: `Lists ${collection}`,
    query: { filters: parameter.filters(sealedFilters) },
    answers: { 200: content.json(Type.Array(Sealed)) },
  },
  [`POST /${collection}/create`]: {
    summary: `Creates a ${one}`,
    body: sealedSpec,
    answers: { 201: content.json(Created) },
  },
  [`GET /${collection}/:id`]: { summary: `Describes a ${one}`, answers: { 200: content.json(Sealed) } },
  [`DELETE /${collection}/:id`]: { summary: `Deletes a ${one}`, answers: { 204: content.none } },
  [`POST /${collection}/:id/update`]: {
    summary: `Changes the labels of a ${one}`,
    query: { version },
    body: sealedSpec,
    answers: { 200: content.none },
  },
});

/** What the routes of secrets and configs do. */
export const operations: Operations = {
  ...sealed('secrets', 'secret'),
  ...sealed('configs', 'config'),
};
