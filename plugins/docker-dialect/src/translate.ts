import type { ServerResponse } from 'node:http';
import { type Middleware, queryOf, sendJson } from '@gantry/core/http';
import { dialect, isDockerClient } from './dialect.js';

// Computed once: the middleware runs for every request.
const [queries, headers, mediaTypes, fields] = [
  Object.entries(dialect.query),
  Object.entries(dialect.headers),
  Object.entries(dialect.mediaTypes),
  Object.entries(dialect.fields),
];
const plainStatuses: ReadonlySet<string> = new Set(dialect.plainStatuses);
const emptyBodies: ReadonlyMap<string, object> = new Map(Object.entries(dialect.emptyBodies));
const values = Object.entries(dialect.values).map(([field, names]) => ({ field, names: Object.entries(names) }));

/** Middleware that translates requests and responses of the engine surface for Docker clients. */
export function translate(serverName: string): Middleware {
  return async (ctx, next) => {
    if (ctx.querystring !== '') {
      for (const [docker, neutral] of queries) {
        if (queryOf(ctx).has(docker)) queryOf(ctx).rename(docker, neutral);
      }
    }
    const isDocker = isDockerClient(ctx.req.headers['user-agent']);
    if (isDocker && plainStatuses.has(ctx.state.route?.path ?? '')) ctx.state.statuses = {};
    ctx.state.onHead((response) => translateHead(response as ServerResponse, serverName, isDocker));
    await next();
    const body = ctx.state.answer ?? ctx.body;
    addFields(body, isDocker);
    const expected = isDocker ? emptyBodies.get(ctx.state.route?.path ?? '') : undefined;
    if (expected !== undefined && ctx.status === 200 && (body ?? '') === '') sendJson(ctx, expected);
  };
}

function translateHead(response: ServerResponse, serverName: string, isDocker: boolean): void {
  response.setHeader('Server', serverName);
  for (const [neutral, docker] of headers) {
    const value = response.getHeader(neutral);
    if (value !== undefined) response.setHeader(docker, value);
  }
  if (!isDocker) return;
  for (const [neutral, docker] of mediaTypes) {
    if (response.getHeader('content-type') === neutral) response.setHeader('Content-Type', docker);
  }
}

function addFields(body: unknown, isDocker: boolean): void {
  if (typeof body !== 'object' || body === null || Object.getPrototypeOf(body) !== Object.prototype) return;
  const object = body as Record<string, unknown>;
  for (const [neutral, docker] of fields) {
    if (neutral in object && !(docker in object)) object[docker] = object[neutral];
  }
  if (!isDocker) return;
  for (const { field, names } of values) {
    for (const [neutral, docker] of names) if (object[field] === neutral) object[field] = docker;
  }
}
