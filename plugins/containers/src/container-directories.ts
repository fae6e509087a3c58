import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { IdMappings } from '@gantry/core/contracts';
import { inject, injectable, PackageDirectories } from '@gantry/core/driver';
import { makeSearchable } from '@gantry/lib-archive/layer-store';

/** A directory for each container, with its spool, hosts, hostname and resolv.conf. */
@injectable()
export class ContainerDirectories {
  /** Holds the directories of all containers. */
  readonly root: string;

  constructor(
    @inject(PackageDirectories) directories: PackageDirectories,
    @inject(IdMappings) private readonly idMappings: IdMappings,
  ) {
    this.root = directories.root;
  }

  of(containerId: string): string {
    return path.join(this.root, containerId);
  }

  /**
   * Creates one, unless it is there. Root of remapped containers passes it: before Linux 5.12 runtimes open what they bind
   * as that user.
   */
  async make(containerId: string): Promise<void> {
    const directory = this.of(containerId);
    await mkdir(directory, { recursive: true, mode: 0o710 });
    await makeSearchable(directory, this.idMappings);
  }
}
