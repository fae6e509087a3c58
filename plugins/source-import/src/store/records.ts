import type { CollectionDefinition, SourceProject } from '@gantry/core/contracts';
import { parseRecord } from '@gantry/hosted-api/service';
import type { LargeFile } from '@gantry/lib-source';

/** A hosted repository: the target of imports, and what clients clone. */
export interface RepositoryRecord {
  /** Never reused. */
  readonly id: number;
  /** In the case of the creation; compared case-insensitively. */
  readonly owner: string;
  readonly name: string;
  readonly private: boolean;
  readonly description?: string;
  /** Imports into it are refused while workflows are enabled. */
  readonly workflows: boolean;
  /** Lower-case logins of accounts that manage it besides its owner. */
  readonly maintainers: readonly string[];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly pushedAt?: number;
}

/** One of several projects at a URL, offered for choice. */
export interface ProjectChoice extends SourceProject {
  readonly vcs: string;
}

/** Spec: States and transitions. */
export type ImportState =
  | { readonly status: 'detecting' | 'importing' | 'mapping' | 'pushing' | 'complete' }
  | { readonly status: 'detection_found_nothing' | 'detection_needs_auth' | 'auth_failed'; readonly message: string }
  | { readonly status: 'detection_found_multiple'; readonly choices: readonly ProjectChoice[] }
  | { readonly status: 'error'; readonly failedStep: ImportStatus; readonly message: string };

export type ImportStatus = ImportState['status'];

/** The user's choice about large files. Spec: Import. */
export type LfsChoice = 'undecided' | 'opt_in' | 'opt_out';

/** One import into one repository. Credentials are not stored. */
export interface ImportRecord {
  /** Never reused; also the name of its directory. */
  readonly id: number;
  readonly repositoryId: number;
  /** The account that started it. */
  readonly startedBy: number;
  /** Without user name and password. */
  readonly url: string;
  /** The id of a source driver: given, chosen or detected. */
  readonly vcs?: string;
  readonly project?: string;
  /** Whether the source requires the credentials that were given. */
  readonly hasCredentials: boolean;
  readonly useLfs: LfsChoice;
  readonly state: ImportState;
  /** Counts the changes that require a rewrite of the history. */
  readonly wishes: number;
  /** The count at the start of the last rewrite. */
  readonly fulfilled: number;
  readonly authorsCount: number;
  readonly largeFiles: { readonly count: number; readonly bytes: number };
  /** The base of URLs in webhooks: that of the request that started the import. */
  readonly baseUrl: string;
  readonly startedAt: number;
  readonly updatedAt: number;
}

/** An author of a source, with the name and address in the repository. */
export interface AuthorRecord {
  readonly id: number;
  readonly importId: number;
  readonly remoteId: string;
  readonly remoteName: string;
  readonly email: string;
  readonly name: string;
}

/** A pending delivery of a webhook. */
export interface DeliveryRecord {
  readonly id: number;
  readonly hook: string;
  /** The same for all attempts. */
  readonly guid: string;
  readonly body: string;
  /** Milliseconds since 1970, as all times here. */
  readonly madeAt: number;
  readonly attempts: number;
  readonly nextAt: number;
}

/** A switch of the operator. */
export interface SwitchRecord {
  readonly on: boolean;
}

export const repositoryCollection: CollectionDefinition<RepositoryRecord> = {
  name: 'import-repositories',
  version: 1,
  parse: (value) =>
    parseRecord<RepositoryRecord>(value, { id: 'number', owner: 'string', name: 'string', maintainers: 'object' }),
};

export const importCollection: CollectionDefinition<ImportRecord> = {
  name: 'imports',
  version: 1,
  parse: (value) =>
    parseRecord<ImportRecord>(value, { id: 'number', repositoryId: 'number', url: 'string', state: 'object' }),
};

export const authorCollection: CollectionDefinition<AuthorRecord> = {
  name: 'import-authors',
  version: 1,
  parse: (value) => parseRecord<AuthorRecord>(value, { id: 'number', importId: 'number', remoteId: 'string' }),
};

export const largeFileCollection: CollectionDefinition<readonly LargeFile[]> = {
  name: 'import-large-files',
  version: 1,
  parse: (value) => {
    if (!Array.isArray(value)) throw new Error('the record is not an array');
    return value;
  },
};

export const deliveryCollection: CollectionDefinition<DeliveryRecord> = {
  name: 'import-deliveries',
  version: 1,
  parse: (value) =>
    parseRecord<DeliveryRecord>(value, { id: 'number', hook: 'string', guid: 'string', body: 'string' }),
};

export const switchCollection: CollectionDefinition<SwitchRecord> = {
  name: 'import-switches',
  version: 1,
  parse: (value) => parseRecord<SwitchRecord>(value, { on: 'boolean' }),
};
