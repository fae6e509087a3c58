import { createHash } from 'node:crypto';
import type { Context } from '@gantry/core/http';

/** The validators of a response, for conditional requests. */
export interface Validators {
  /** An entity tag with its quotes; see `entityTag`. */
  readonly etag: string;
  /** Time of the last change in milliseconds; without it only the tag is compared. */
  readonly lastModified?: number;
}

/** A weak tag over values that change whenever the response does. */
export const entityTag = (parts: Iterable<string | number | boolean | undefined>): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part}\n`);
  return `W/"${hash.digest('base64url').slice(0, 27)}"`;
};

/**
 * The value of `Last-Modified` for a change. The header has a resolution of one second, so the current second is never
 * reported: a client would miss a second change within it.
 */
export function lastModifiedSecond(changedAt: number, now: number = Date.now()): number {
  const second = Math.floor(changedAt / 1000);
  return second >= Math.floor(now / 1000) ? Math.floor(now / 1000) - 1 : second;
}

/** Sets the validators and returns whether the client's copy is still valid (RFC 9110, 13.2.2). */
export function isUnchanged<P>(ctx: Context<P>, { etag, lastModified }: Validators): boolean {
  ctx.res.setHeader('ETag', etag);
  if (lastModified !== undefined) {
    ctx.res.setHeader('Last-Modified', new Date(lastModifiedSecond(lastModified) * 1000).toUTCString());
  }
  const { 'if-none-match': tags, 'if-modified-since': since } = ctx.req.headers;
  if (tags !== undefined) return matches(tags, etag);
  if (since === undefined || lastModified === undefined) return false;
  const moment = httpDate(since);
  // Compares with the second of the change itself: `lastModifiedSecond` never reports it before it has ended.
  return moment !== undefined && Math.floor(lastModified / 1000) * 1000 <= moment;
}

/** Whether the client sent a validator and therefore understands a 304. */
export const isConditional = <P>(ctx: Context<P>): boolean =>
  ctx.req.headers['if-none-match'] !== undefined || ctx.req.headers['if-modified-since'] !== undefined;

const matches = (tags: string, etag: string): boolean =>
  tags.trim() === '*' || tags.split(',').some((tag) => weak(tag.trim()) === weak(etag));

const weak = (tag: string): string => tag.replace(/^W\//, '');

const httpDateForm = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Parses an IMF-fixdate to milliseconds; an invalid header is ignored (undefined). */
function httpDate(text: string): number | undefined {
  const moment = httpDateForm.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}
