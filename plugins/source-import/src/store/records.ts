import type { CollectionDefinition } from '@gantry/core/contracts';
import { parseRecord } from '@gantry/hosted-api/service';
import type { LargeFile, ProjectChoice, Vcs } from '@gantry/source-conversion';

/** A repository that this service hosts: what imports go into, and what clients clone. */
export interface RepositoryRecord {
  /** Never given to another one. */
  readonly id: number;
  /** As they were written first; compared without regard to case. */
  readonly owner: string;
  readonly name: string;
  readonly private: boolean;
  readonly description?: string;
  /** Imports into it are refused. */
  readonly workflows: boolean;
  /** Logins, in lower case, who manage it beside its owner. */
  readonly maintainers: readonly string[];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly pushedAt?: number;
}

/** Where an import is. Spec: States and transitions. */
export type ImportState =
  | { readonly status: 'detecting' | 'importing' | 'mapping' | 'pushing' | 'complete' }
  | { readonly status: 'detection_found_nothing' | 'detection_needs_auth' | 'auth_failed'; readonly message: string }
  | { readonly status: 'detection_found_multiple'; readonly choices: readonly ProjectChoice[] }
  | { readonly status: 'error'; readonly failedStep: ImportStatus; readonly message: string };

export type ImportStatus = ImportState['status'];

/** What happens with large files. Spec: Import. */
export type LfsChoice = 'undecided' | 'opt_in' | 'opt_out';

/** One import into one repository. Credentials are not in it. */
export interface ImportRecord {
  /** Never given to another one; the name of its directory. */
  readonly id: number;
  readonly repositoryId: number;
  /** The account that started it. */
  readonly startedBy: number;
  /** Without a user's name or password. */
  readonly url: string;
  /** Given, chosen or detected. */
  readonly vcs?: Vcs;
  readonly project?: string;
  /** Credentials were given: without them it cannot fetch. */
  readonly hasCredentials: boolean;
  readonly useLfs: LfsChoice;
  readonly state: ImportState;
  /** Raised by every change that the repository is to be written anew for. */
  readonly wishes: number;
  /** The wishes that the last rewrite fulfilled. */
  readonly fulfilled: number;
  readonly authorsCount: number;
  readonly largeFiles: { readonly count: number; readonly bytes: number };
  /** What addresses in webhooks begin with: those of the request that started it. */
  readonly baseUrl: string;
  readonly startedAt: number;
  readonly updatedAt: number;
}

/** Who wrote commits of a source, and what they are called in the repository. */
export interface AuthorRecord {
  readonly id: number;
  readonly importId: number;
  readonly remoteId: string;
  readonly remoteName: string;
  readonly email: string;
  readonly name: string;
}

/** A webhook's delivery that has not arrived yet. */
export interface DeliveryRecord {
  readonly id: number;
  readonly hook: string;
  /** What it is known by at the receiver, over all attempts. */
  readonly guid: string;
  readonly body: string;
  /** Milliseconds since 1970, as all times here. */
  readonly madeAt: number;
  readonly attempts: number;
  readonly nextAt: number;
}

/** What the operator switched. */
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
    if (!Array.isArray(value)) throw new Error('the record is no list');
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
