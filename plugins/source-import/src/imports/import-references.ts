import { type DriverLifecycle, type DriverUse, inject, injectable } from '@gantry/core/driver';
import { SourceAccess } from '../steps/source-access.js';
import { ImportStore } from '../store/import-store.js';
import type { ImportRecord } from '../store/records.js';
import { Repositories } from '../store/repositories.js';

/** Says which source drivers imports need. */
@injectable()
export class ImportReferences implements DriverLifecycle {
  constructor(
    @inject(ImportStore) private readonly store: ImportStore,
    @inject(Repositories) private readonly repositories: Repositories,
    @inject(SourceAccess) private readonly access: SourceAccess,
  ) {}

  /** Those in progress. Without its driver, an import that waits for its user answers that nothing reads its source. */
  driverReferences(): readonly DriverUse[] {
    return this.store
      .list()
      .filter(({ state: { status } }) => status === 'detecting' || status === 'importing')
      .flatMap((record) =>
        this.access.driverIds(record).map((id) => ({ driver: `source/${id}`, user: this.#userOf(record) })),
      );
  }

  #userOf({ repositoryId }: ImportRecord): string {
    const repository = this.repositories.withId(repositoryId);
    return `the import into ${repository === undefined ? 'a deleted repository' : `${repository.owner}/${repository.name}`}`;
  }
}
