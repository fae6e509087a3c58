import type { ExecutionContext } from 'ava';
import type { HostedClient } from './hosted-client.js';

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

const html = 'text/html; charset=utf-8';

/**
 * Checks a page and every file that it or one of its modules references: all are served, cacheable, and restricted to
 * their own origin. Resolves to the paths of the files, sorted.
 */
export async function filesOfPage(t: ExecutionContext, { ask }: HostedClient, page: string): Promise<string[]> {
  const paths = new Set([page]);
  for (const path of paths) {
    const answer = await ask('GET', path);
    const type = types[path.slice(path.lastIndexOf('.') + 1)] ?? html;
    t.deepEqual([answer.status, answer.headers.get('content-type')], [200, type], path);
    t.regex(answer.headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self';/);
    t.deepEqual(
      [answer.headers.get('x-content-type-options'), answer.headers.get('referrer-policy')],
      ['nosniff', 'no-referrer'],
    );
    t.is(answer.headers.get('cache-control'), 'private, no-cache', 'cached, and revalidated');
    const headers = { 'If-None-Match': answer.headers.get('etag') ?? '' };
    t.is((await ask('GET', path, { headers })).status, 304);
    const text = await answer.text();
    t.notRegex(text, /\{\{/, 'every placeholder is replaced');
    t.notRegex(type === html ? text : '', /<style|<script[^>]*>[^<]|\s(?:style|on\w+)=/, 'nothing is inline');
    for (const [, named = ''] of text.matchAll(/(?:href="|src="| from ')(\/[^"']+)["']/g)) paths.add(named);
  }
  return [...paths].sort();
}
