import path from 'node:path';
import { inject, injectable, PackageDirectories } from '@gantry/core/driver';

/** A directory for each container, with its spool, hosts, hostname and resolv.conf. */
@injectable()
export class ContainerDirectories {
  /** Holds the directories of all containers. */
  readonly root: string;

  constructor(@inject(PackageDirectories) directories: PackageDirectories) {
    this.root = directories.root;
  }

  of(containerId: string): string {
    return path.join(this.root, containerId);
  }
}
