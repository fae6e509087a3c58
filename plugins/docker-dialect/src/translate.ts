import type { ServerResponse } from 'node:http';
import { type Middleware, queryOf } from '@gantry/core/http';
import { dialect, isDockerClient } from './dialect.js';

const renamed = <T extends object>(table: T): [keyof T & string, string][] =>
  Object.entries(table) as [keyof T & string, string][];

/** The hook that lets Docker clients in, on every request of the engine surface. */
export function translate(serverName: string): Middleware {
  return async (ctx, next) => {
    if (ctx.querystring !== '') {
      for (const [theirs, ours] of renamed(dialect.query)) {
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
  for (const [ours, theirs] of renamed(dialect.headers)) {
    const value = response.getHeader(ours);
    if (value !== undefined) response.setHeader(theirs, value);
  }
  if (!theirsOnly) return;
  for (const [ours, theirs] of renamed(dialect.mediaTypes)) {
    if (response.getHeader('content-type') === ours) response.setHeader('Content-Type', theirs);
  }
}

function addFields(body: unknown, theirsOnly: boolean): void {
  if (typeof body !== 'object' || body === null || Object.getPrototypeOf(body) !== Object.prototype) return;
  const object = body as Record<string, unknown>;
  for (const [ours, theirs] of renamed(dialect.fields)) {
    if (ours in object && !(theirs in object)) object[theirs] = object[ours];
  }
  if (!theirsOnly) return;
  for (const [field, names] of Object.entries(dialect.values)) {
    for (const [ours, theirs] of renamed(names)) if (object[field] === ours) object[field] = theirs;
  }
}
