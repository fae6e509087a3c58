import { createHash } from 'node:crypto';
import type { Context } from '@gantry/core/http';

/** What a client compares to know whether its copy is still right. */
export interface Validators {
  /** An entity tag with its quotes; see `entityTag`. */
  readonly etag: string;
  /** Milliseconds of the last change that this header tells of; without it the tag alone decides. */
  readonly lastModified?: number;
}

/** A weak tag over parts that change whenever the answer does. */
export const entityTag = (parts: Iterable<string | number | boolean | undefined>): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part}\n`);
  return `W/"${hash.digest('base64url').slice(0, 27)}"`;
};

/**
 * The second a client may be told as the time of the last change. The header has no fractions: a second that has not
 * passed yet may see another change, which a client that was told this second would never ask for.
 */
export function lastModifiedSecond(changedAt: number, now: number = Date.now()): number {
  const second = Math.floor(changedAt / 1000);
  return second >= Math.floor(now / 1000) ? Math.floor(now / 1000) - 1 : second;
}

/** Sets the validators and tells whether the client's copy is still right (RFC 9110, 13.2.2). */
export function isUnchanged<P>(ctx: Context<P>, { etag, lastModified }: Validators): boolean {
  ctx.res.setHeader('ETag', etag);
  if (lastModified !== undefined) {
    ctx.res.setHeader('Last-Modified', new Date(lastModifiedSecond(lastModified) * 1000).toUTCString());
  }
  const { 'if-none-match': tags, 'if-modified-since': since } = ctx.req.headers;
  if (tags !== undefined) return matches(tags, etag);
  if (since === undefined || lastModified === undefined) return false;
  const moment = httpDate(since);
  // The second of the change itself: a client was only ever told of seconds that had passed.
  return moment !== undefined && Math.floor(lastModified / 1000) * 1000 <= moment;
}

/** True when the client sent a validator, so that it understands a 304. */
export const isConditional = <P>(ctx: Context<P>): boolean =>
  ctx.req.headers['if-none-match'] !== undefined || ctx.req.headers['if-modified-since'] !== undefined;

const matches = (tags: string, etag: string): boolean =>
  tags.trim() === '*' || tags.split(',').some((tag) => weak(tag.trim()) === weak(etag));

const weak = (tag: string): string => tag.replace(/^W\//, '');

const httpDateForm = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Milliseconds; undefined for what is no date of this kind, which counts as not sent. */
function httpDate(text: string): number | undefined {
  const moment = httpDateForm.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}
