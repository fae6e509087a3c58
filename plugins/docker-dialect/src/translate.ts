import type { ServerResponse } from 'node:http';
import { type Middleware, queryOf } from '@gantry/core/http';
import { dialect, isDockerClient } from './dialect.js';

// Taken apart once: this runs for every request.
const [queries, headers, mediaTypes, fields] = [
  Object.entries(dialect.query),
  Object.entries(dialect.headers),
  Object.entries(dialect.mediaTypes),
  Object.entries(dialect.fields),
];
const values = Object.entries(dialect.values).map(([field, names]) => ({ field, names: Object.entries(names) }));

/** The hook that lets Docker clients in, on every request of the engine surface. */
export function translate(serverName: string): Middleware {
  return async (ctx, next) => {
    if (ctx.querystring !== '') {
      for (const [theirs, ours] of queries) {
        if (queryOf(ctx).has(theirs)) queryOf(ctx).rename(theirs, ours);
      }
    }
    const theirsOnly = isDockerClient(ctx.req.headers['user-agent']);
    ctx.state.onHead((response) => translateHead(response as ServerResponse, serverName, theirsOnly));
    await next();
    // Never assigned: koa takes that for a new answer, which is 204 when there is none.
    addFields(ctx.body, theirsOnly);
  };
}

function translateHead(response: ServerResponse, serverName: string, theirsOnly: boolean): void {
  response.setHeader('Server', serverName);
  for (const [ours, theirs] of headers) {
    const value = response.getHeader(ours);
    if (value !== undefined) response.setHeader(theirs, value);
  }
  if (!theirsOnly) return;
  for (const [ours, theirs] of mediaTypes) {
    if (response.getHeader('content-type') === ours) response.setHeader('Content-Type', theirs);
  }
}

function addFields(body: unknown, theirsOnly: boolean): void {
  if (typeof body !== 'object' || body === null || Object.getPrototypeOf(body) !== Object.prototype) return;
  const object = body as Record<string, unknown>;
  for (const [ours, theirs] of fields) {
    if (ours in object && !(theirs in object)) object[theirs] = object[ours];
  }
  if (!theirsOnly) return;
  for (const { field, names } of values) {
    for (const [ours, theirs] of names) if (object[field] === ours) object[field] = theirs;
  }
}
