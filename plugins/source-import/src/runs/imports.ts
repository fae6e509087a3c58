import { setTimeout as delay } from 'node:timers/promises';
import type { Transaction } from '@gantry/core/contracts';
import { KeyedMutex, type Logger } from '@gantry/core/driver';
import { messageOf, notFound } from '@gantry/core/errors';
import { HostedError, validationFailed } from '@gantry/hosted-api/service';
import type { Vcs } from '@gantry/source-conversion';
import { isWorking } from '../states.js';
import type { ImportStore } from '../store/import-store.js';
import type { AuthorRecord, ImportRecord, ImportState, LfsChoice, RepositoryRecord } from '../store/records.js';
import type { Repositories } from '../store/repositories.js';
import type { Credentials, CredentialVault } from './credentials.js';
import type { Directories } from './directories.js';
import { stateWithoutCredentials } from './failures.js';
import type { Runs } from './runs.js';

export interface NewImport {
  readonly url: string;
  readonly vcs?: Vcs;
  readonly project?: string;
  readonly credentials?: Credentials;
  readonly startedBy: number;
  readonly baseUrl: string;
}

export interface ImportChanges {
  readonly credentials?: Credentials;
  readonly vcs?: Vcs;
  readonly project?: string;
}

export interface ImportsParts {
  readonly store: ImportStore;
  readonly runs: Runs;
  readonly credentials: CredentialVault;
  readonly directories: Directories;
  readonly repositories: Repositories;
  /** Ends and removes what a conversion left that was killed. */
  readonly tidyScratch: (scratch: string) => Promise<void>;
  readonly maxWaiting: () => number;
  readonly log: Logger;
}

/** A cancelled import is answered for by then, whatever its programs do. */
const cancelWithinMs = 1500;

/** What users do with imports. */
export class Imports {
  /** By repository: what is begun, restarted and cancelled at once comes one after the other. */
  readonly #changes = new KeyedMutex();

  constructor(private readonly parts: ImportsParts) {}

  /** Lets imports go on that an earlier daemon left in the middle; those that need credentials ask for them. */
  async resume(): Promise<void> {
    const { store, runs, directories, tidyScratch } = this.parts;
    for (const { id, state, hasCredentials } of store.list()) {
      if (!isWorking(state.status)) continue;
      await tidyScratch(directories.import(id).scratch);
      if (hasCredentials && (state.status === 'detecting' || state.status === 'importing')) {
        const asking = stateWithoutCredentials(state.status);
        await store.change(id, (record) => ({ ...record, state: asking }));
      } else runs.add(id);
    }
  }

  /** @throws HostedError 422 while another one is on its way, 503 when too many wait. */
  start(repository: RepositoryRecord, { credentials, url, vcs, project, ...rest }: NewImport): Promise<ImportRecord> {
    const { store, runs } = this.parts;
    return this.#changes.run(String(repository.id), async () => {
      if (this.parts.repositories.withId(repository.id) === undefined) throw notFound('no such repository');
      const before = store.into(repository.id);
      if (before !== undefined && isWorking(before.state.status)) {
        const message = `an import into ${repository.owner}/${repository.name} is on its way: cancel it first`;
        throw validationFailed({ resource: 'Import', field: 'repository', code: 'already_exists', message });
      }
      if (runs.waitingCount >= this.parts.maxWaiting()) {
        throw new HostedError(503, 'Too many imports wait for their turn: try again later');
      }
      const record = await store.add({
        ...{ repositoryId: repository.id, url, ...rest },
        ...(vcs !== undefined && { vcs }),
        ...(project !== undefined && { project }),
        hasCredentials: credentials !== undefined,
        useLfs: 'undecided',
        state: { status: vcs === undefined ? 'detecting' : 'importing' },
        ...{ wishes: 0, fulfilled: 0, authorsCount: 0, largeFiles: { count: 0, bytes: 0 } },
      });
      if (before !== undefined) this.#discard(before);
      if (credentials !== undefined) this.parts.credentials.put(record.id, credentials);
      runs.add(record.id);
      return record;
    });
  }

  /** Begins again from the detection on, with what is new about it. Undefined when it is gone. */
  restart({ id, repositoryId }: ImportRecord, changes: ImportChanges): Promise<ImportRecord | undefined> {
    const { store, runs, credentials, directories } = this.parts;
    return this.#changes.run(String(repositoryId), async () => {
      await runs.halt(id);
      const before = store.withId(id);
      if (before === undefined) return undefined;
      if (changes.credentials !== undefined) credentials.put(id, { ...credentials.of(id), ...changes.credentials });
      const { vcs = before.vcs, project = before.project } = changes;
      // What was converted of another project is of no use.
      if (vcs !== before.vcs || project !== before.project) await directories.removeImport(id);
      const record = await store.change(id, (now) => ({
        ...now,
        ...(vcs !== undefined && { vcs }),
        ...(project !== undefined && { project }),
        hasCredentials: now.hasCredentials || changes.credentials !== undefined,
        state: { status: 'detecting' },
      }));
      if (record !== undefined) runs.add(id);
      return record;
    });
  }

  /** Removes an import. What it has put into the repository stays there. */
  cancel(record: ImportRecord): Promise<void> {
    return this.#changes.run(String(record.repositoryId), () => this.#remove(record, 'cancelled'));
  }

  /** Removes a repository, with the import into it. */
  removeRepository(repository: RepositoryRecord): Promise<void> {
    const { store, repositories, directories } = this.parts;
    return this.#changes.run(String(repository.id), async () => {
      const record = store.into(repository.id);
      if (record !== undefined) await this.#remove(record);
      await repositories.remove(repository);
      await directories.removeRepository(repository.id);
    });
  }

  /** @param status what is told of it, if anything. */
  async #remove(record: ImportRecord, status?: 'cancelled'): Promise<void> {
    const halted = this.parts.runs.halt(record.id);
    await Promise.race([halted, delay(cancelWithinMs, undefined, { ref: false })]);
    await this.parts.store.remove(record, status);
    this.#discard(record);
  }

  /** Undefined when there is no such author. */
  async mapAuthor(
    { id }: ImportRecord,
    authorId: number,
    names: Partial<Pick<AuthorRecord, 'name' | 'email'>>,
  ): Promise<AuthorRecord | undefined> {
    const { authors } = this.parts.store;
    let mapped: AuthorRecord | undefined;
    await this.#wish(id, (record, transaction) => {
      const author = authors.in(transaction, id, authorId);
      mapped = author && { ...author, ...names };
      if (mapped === undefined || (mapped.name === author?.name && mapped.email === author.email)) return undefined;
      authors.put(transaction, mapped);
      return record;
    });
    return mapped;
  }

  /** Says what is to happen with large files, those too that are still to be found. */
  chooseLfs({ id }: ImportRecord, useLfs: LfsChoice): Promise<ImportRecord | undefined> {
    return this.#wish(id, (record) => (record.useLfs === useLfs ? undefined : { ...record, useLfs }));
  }

  /** Changes what the repository is to be like; one that was complete is written anew. */
  async #wish(
    id: number,
    change: (record: ImportRecord, transaction: Transaction) => ImportRecord | undefined,
  ): Promise<ImportRecord | undefined> {
    const { store, runs } = this.parts;
    const changed = await store.change(id, (record, transaction) => {
      const wished = change(record, transaction);
      const state: ImportState = record.state.status === 'complete' ? { status: 'mapping' } : record.state;
      return wished && { ...wished, state, wishes: record.wishes + 1 };
    });
    if (changed?.state.status === 'mapping') runs.add(id);
    return changed;
  }

  /** Frees what an import that is gone has; nobody waits for the disk. */
  #discard({ id }: ImportRecord): void {
    const { runs, directories, credentials, log } = this.parts;
    credentials.forget(id);
    runs
      .halt(id)
      .then(() => directories.removeImport(id))
      .catch((error: unknown) => {
        log.warn({ event: 'import.left', import: id, reason: messageOf(error) }, 'a directory could not be removed');
      });
  }
}
