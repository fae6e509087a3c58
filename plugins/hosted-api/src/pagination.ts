import type { Context } from '@gantry/core/http';
import { validationFailed } from './hosted-error.js';

export interface Page {
  readonly number: number;
  readonly size: number;
}

/**
 * Reads `page` and `per_page`. A page larger than `max` is cut to it.
 * @throws HostedError 422 for what is no positive integer.
 */
export function readPage<P>(ctx: Context<P>, resource: string, sizes: { fallback: number; max: number }): Page {
  const parameters = new URLSearchParams(ctx.querystring);
  const read = (field: string, fallback: number): number => {
    const text = parameters.get(field);
    if (text === null || text === '') return fallback;
    const value = /^\d{1,15}$/.test(text) ? Number(text) : 0;
    if (value >= 1) return value;
    throw validationFailed({ resource, field, code: 'invalid', message: `"${text}" is not a positive integer` });
  };
  return { number: read('page', 1), size: Math.min(read('per_page', sizes.fallback), sizes.max) };
}

/** Sets the Link header: `prev`, `next`, `last` and `first`, where there are such pages. */
export function linkPages<P>(ctx: Context<P>, address: string, page: Page, total: number): void {
  const last = Math.max(1, Math.ceil(total / page.size));
  const links: string[] = [];
  const link = (relation: string, number: number): void => {
    const parameters = new URLSearchParams(ctx.querystring);
    parameters.set('page', String(number));
    links.push(`<${address}?${parameters}>; rel="${relation}"`);
  };
  if (page.number > 1) link('prev', Math.min(page.number - 1, last));
  if (page.number < last) link('next', page.number + 1);
  if (page.number < last) link('last', last);
  if (page.number > 1) link('first', 1);
  if (links.length > 0) ctx.res.setHeader('Link', links.join(', '));
}
