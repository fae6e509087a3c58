import { isAbsolute } from 'node:path';
import { type ArchiveDriver, ArchiveDrivers, type StorageDriver, StorageDrivers } from '@gantry/core/contracts';
import { type DriverLifecycle, type DriverSet, inject, injectable } from '@gantry/core/driver';
import { invalidArgument, notFound } from '@gantry/core/errors';

/** The command by which a daemon takes over what a container had changed. */
export const changesCommand = 'migrate-changes';

/** Applies the changes of an overlay to a container that does not run. */
@injectable()
export class LayerChanges implements DriverLifecycle {
  readonly commands = { [changesCommand]: (args: readonly string[]) => this.#answer(args) };

  constructor(
    @inject(StorageDrivers.token) private readonly storages: DriverSet<StorageDriver>,
    @inject(ArchiveDrivers.token) private readonly archives: DriverSet<ArchiveDriver>,
  ) {}

  async *#answer([id = '', upper = '', ...lower]: readonly string[]): AsyncGenerator<string, void> {
    const relative = [upper, ...lower].find((path) => !isAbsolute(path));
    if (id === '' || relative !== undefined) {
      throw invalidArgument(`gantryd ${changesCommand}: a container and absolute paths are wanted, not "${relative}"`);
    }
    const storage = this.storages.get();
    if (!(await storage.writables()).some((writable) => writable.id === id)) throw notFound(`no writable layer ${id}`);
    const archive = this.archives.get();
    const directory = await storage.mount(id);
    try {
      const stream = archive.packChanges({ upper, lower });
      const { entries } = await archive.extractLayer({ stream, compression: 'none' }, directory, {
        whiteouts: 'apply',
      });
      yield JSON.stringify({ entries });
    } finally {
      await storage.unmount(id);
    }
  }
}
