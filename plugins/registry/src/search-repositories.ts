import { inject, injectable } from '@gantry/core/driver';
import { internal, invalidArgument } from '@gantry/core/errors';
import { type Filters, invalidFilter } from '@gantry/core/http';
import type { RegistryCredentials } from '@gantry/engine-api/service';
import { Endpoints } from './remote/endpoints.js';
import { noDefault, splitRegistry } from './remote/repository.js';
import type { RegistrySession } from './remote/session.js';
import { listPages } from './remote/tags.js';
import { plainError } from './remote/translate.js';
import { readText } from './transport/read-body.js';
import { RegistryError } from './transport/registry-error.js';

/** Spec: Search result. */
interface FoundRepository {
  readonly name: string;
  readonly description: string;
  readonly is_official: boolean;
  readonly is_automated: boolean;
  readonly star_count: number;
}

interface SearchRequest {
  /** What to look for; a registry in front says where. */
  readonly term: string;
  readonly limit: number | undefined;
  readonly filters: Filters;
  readonly credentials: RegistryCredentials | undefined;
}

export const searchFilters = ['stars', 'is-automated', 'is-official'] as const;
const answerLimit = 8 * 2 ** 20;
const usualLimit = 25;
const mostResults = 100;

/** Searches for repositories: with the registry's own search, or by name in its catalog. */
@injectable()
export class SearchRepositories {
  constructor(@inject(Endpoints) private readonly endpoints: Endpoints) {}

  async search(
    { term, limit = usualLimit, filters, credentials }: SearchRequest,
    signal: AbortSignal,
  ): Promise<readonly FoundRepository[]> {
    if (limit < 1 || limit > mostResults) {
      throw invalidArgument(`Limit ${limit} is outside the range of [1, ${mostResults}]`);
    }
    const accepts = filterOf(filters);
    const { registry = this.endpoints.defaultRegistry, rest } = splitRegistry(term);
    if (registry === undefined) throw noDefault(term);
    const session = this.endpoints.session(registry, credentials);
    try {
      const found = (await asked(session, rest, limit, signal)) ?? (await catalog(session, rest, signal));
      return found.filter(accepts).slice(0, limit);
    } catch (error) {
      throw plainError(error);
    }
  }
}

function filterOf(filters: Filters): (result: FoundRepository) => boolean {
  const automated = filters.boolean('is-automated');
  const official = filters.boolean('is-official');
  const stars = filters.get('stars').map((value) => {
    if (!/^\d+$/.test(value)) throw invalidFilter('stars', value);
    return Number(value);
  });
  return (result) =>
    stars.every((least) => result.star_count >= least) &&
    (automated === undefined || result.is_automated === automated) &&
    (official === undefined || result.is_official === official);
}

/** Undefined from a registry without a search. */
async function asked(
  session: RegistrySession,
  term: string,
  limit: number,
  signal: AbortSignal,
): Promise<readonly FoundRepository[] | undefined> {
  const query = new URLSearchParams({ q: term, n: String(limit) });
  try {
    const response = await session.request({
      method: 'GET',
      path: `/v1/search?${query}`,
      scopes: [],
      expect: [200],
      signal,
    });
    const answer = JSON.parse(await readText(response, answerLimit)) as { readonly results?: unknown };
    if (!Array.isArray(answer.results)) throw internal(`registry ${session.registry} answers no list of results`);
    return answer.results.filter((result) => typeof result === 'object' && result !== null).map(toResult);
  } catch (error) {
    if (error instanceof RegistryError && [401, 404, 405].includes(error.status)) return undefined;
    throw error;
  }
}

async function catalog(
  session: RegistrySession,
  term: string,
  signal: AbortSignal,
): Promise<readonly FoundRepository[]> {
  const names = await listPages(session, '/v2/_catalog', 'repositories', ['registry:catalog:*'], signal);
  return names.filter((name) => name.includes(term)).map((name) => toResult({ name }));
}

const toResult = (value: Readonly<Record<string, unknown>>): FoundRepository => ({
  star_count: Number(value.star_count ?? 0) || 0,
  is_official: value.is_official === true,
  name: String(value.name ?? ''),
  is_automated: value.is_automated === true,
  description: String(value.description ?? ''),
});
