import type { Readable } from 'node:stream';
import { SourceError } from '@gantry/core/contracts';
import { accessDenied, type HttpResponse, readText, type SourceSession, sendRequest } from '@gantry/lib-source';

const version = '1.0';

interface TeamProject {
  readonly id: string;
  readonly name: string;
}

interface Identity {
  readonly displayName?: string;
  readonly uniqueName?: string;
}

export interface Changeset {
  readonly changesetId: number;
  readonly author?: Identity;
  readonly checkedInBy?: Identity;
  readonly createdDate: string;
  readonly comment?: string;
  readonly commentTruncated?: boolean;
}

export interface Change {
  /** `add, edit, encoding`, say. */
  readonly changeType: string;
  readonly item: { readonly path: string; readonly isFolder?: boolean };
  /** Where it was before a rename. */
  readonly sourceServerItem?: string;
}

interface BranchItem {
  readonly path: string;
}

interface List<T> {
  readonly value: readonly T[];
}

/** The documented REST interface of a Team Foundation collection, as far as an import needs it. Rejects SourceError. */
export class TeamFoundationRest {
  constructor(
    private readonly session: SourceSession,
    private readonly step: string,
  ) {}

  async projects(): Promise<readonly TeamProject[]> {
    return this.#pages<TeamProject>('projects', {});
  }

  /** Whether a folder exists. */
  async hasItem(path: string): Promise<boolean> {
    const answer = await this.#get('tfvc/items', { scopePath: path, recursionLevel: 'none' });
    answer.body.destroy();
    return answer.status === 200;
  }

  /** Changesets that touched a folder, the oldest first, starting with a number; one page. */
  async changesets(path: string, fromId: number, count: number): Promise<readonly Changeset[]> {
    const query = {
      'searchCriteria.itemPath': path,
      'searchCriteria.fromId': String(fromId),
      $orderby: 'id asc',
      $top: String(count),
      maxCommentLength: '100000',
    };
    return (await this.#json<List<Changeset>>('tfvc/changesets', query)).value;
  }

  changes(changesetId: number): Promise<readonly Change[]> {
    return this.#pages<Change>(`tfvc/changesets/${changesetId}/changes`, {});
  }

  /** Everything below a folder at a changeset. */
  async items(path: string, changesetId: number): Promise<readonly Change['item'][]> {
    const query = { scopePath: path, recursionLevel: 'full', ...at(changesetId) };
    return (await this.#json<List<Change['item']>>('tfvc/items', query)).value;
  }

  /** Roots of branches below a folder, at whatever depth they were branched. */
  async branches(path: string): Promise<readonly BranchItem[]> {
    const query = { scopePath: path, includeDeleted: 'true', includeLinks: 'false' };
    const answer = await this.#get('tfvc/branches', query);
    if (answer.status === 404) {
      answer.body.destroy();
      return [];
    }
    return (await this.#parse<List<BranchItem>>(answer)).value.filter((branch) => isBelow(branch.path, path));
  }

  /** The contents of a file at a changeset, for the caller to read; undefined when it did not exist. */
  async content(path: string, changesetId: number): Promise<Readable | undefined> {
    const accept = { accept: 'application/octet-stream' };
    const answer = await this.#get('tfvc/items', { path, download: 'true', ...at(changesetId) }, accept);
    if (answer.status === 200) return answer.body;
    answer.body.destroy();
    if (answer.status === 404) return undefined;
    throw this.#failure(answer);
  }

  async #pages<T>(path: string, query: Readonly<Record<string, string>>): Promise<readonly T[]> {
    const size = 1000;
    const all: T[] = [];
    for (;;) {
      const page = await this.#json<List<T>>(path, { ...query, $top: String(size), $skip: String(all.length) });
      all.push(...page.value);
      if (page.value.length < size) return all;
    }
  }

  async #json<T>(path: string, query: Readonly<Record<string, string>>): Promise<T> {
    return this.#parse<T>(await this.#get(path, query));
  }

  async #parse<T>(answer: HttpResponse): Promise<T> {
    const isJson = answer.headers['content-type']?.includes('json') === true;
    if (answer.status !== 200 || !isJson) {
      answer.body.destroy();
      throw this.#failure(answer);
    }
    try {
      return JSON.parse(await readText(answer, this.step)) as T;
    } catch (cause) {
      if (SourceError.is(cause)) throw cause;
      const message = `${answer.url.host} answered with something that is not JSON`;
      throw new SourceError('not-a-repository', message, this.step, '', { cause });
    }
  }

  #get(
    path: string,
    query: Readonly<Record<string, string>>,
    headers = { accept: 'application/json' },
  ): Promise<HttpResponse> {
    const { location, context, sandbox, trust } = this.session;
    sandbox.watch.recordActivity();
    const url = new URL(location.url);
    url.pathname = `${location.url.pathname.replace(/\/+$/, '')}/_apis/${path}`;
    url.search = new URLSearchParams({ 'api-version': version, ...query }).toString();
    return sendRequest({ url, headers, authorities: trust?.certificates, ...location.credentials }, context, this.step);
  }

  #failure({ status, url, headers }: HttpResponse): SourceError {
    const { url: source } = this.session.location;
    // Without valid credentials the hosted service redirects to a sign-in page, or sends it with a success.
    const isSignIn = status === 203 || (status === 200 && headers['content-type']?.includes('html') === true);
    if (status === 401 || status === 403 || (isSignIn && url.host !== source.host) || status === 203) {
      return accessDenied(this.session.location, this.step);
    }
    if (status >= 500) return new SourceError('unreachable', `${source.host} answered with HTTP ${status}`, this.step);
    const message = `there is no Team Foundation collection at ${source.href} (HTTP ${status})`;
    return new SourceError('not-a-repository', message, this.step);
  }
}

const at = (changesetId: number) => ({
  'versionDescriptor.versionType': 'changeset',
  'versionDescriptor.version': String(changesetId),
  versionType: 'changeset',
  version: String(changesetId),
});

/** Paths of Team Foundation are not case-sensitive. */
export const isBelow = (path: string, folder: string): boolean => {
  const [a, b] = [path.toLowerCase(), folder.toLowerCase()];
  return a === b || a.startsWith(`${b}/`);
};
