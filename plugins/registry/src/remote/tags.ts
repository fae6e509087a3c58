import { internal } from '@gantry/core/errors';
import { readText } from '../transport/read-body.js';
import { pathOf, pullScope, type Repository } from './repository.js';
import type { RegistrySession } from './session.js';

const pageLimit = 4 * 2 ** 20;
const mostPages = 10_000;

/** Every tag of a repository, page by page. */
export const listTags = (session: RegistrySession, repository: Repository, signal: AbortSignal | undefined) =>
  listPages(session, pathOf(repository, 'tags/list'), 'tags', pullScope(repository), signal);

/** Reads a list of names that may go on at the address in its Link header. */
export async function listPages(
  session: RegistrySession,
  path: string,
  key: 'tags' | 'repositories',
  scopes: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const names = new Set<string>();
  const base = await session.base(signal);
  let next: URL | undefined = new URL(path, base);
  for (let page = 0; next !== undefined; page += 1) {
    if (page === mostPages) throw internal(`registry ${session.registry} lists ${key} without end`);
    const response = await session.request({ method: 'GET', path: next, scopes, expect: [200], signal });
    const answer = JSON.parse(await readText(response, pageLimit)) as Readonly<Record<string, unknown>>;
    const list = answer[key] ?? [];
    if (!Array.isArray(list)) throw internal(`registry ${session.registry} answers no list of ${key}`);
    for (const name of list) if (typeof name === 'string') names.add(name);
    next = nextPage(response.headers.link, next);
    if (next !== undefined && next.origin !== base.origin) {
      throw internal(`registry ${session.registry} sends to ${next.origin} for more ${key}`);
    }
  }
  return [...names];
}

function nextPage(link: string | readonly string[] | undefined, from: URL): URL | undefined {
  const target = /<([^>]+)>\s*;[^,]*\brel="?next"?/i.exec(String(link ?? ''))?.[1];
  return target !== undefined && URL.canParse(target, from.href) ? new URL(target, from) : undefined;
}
