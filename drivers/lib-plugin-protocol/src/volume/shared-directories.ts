import { inject, injectable } from '@gantry/core/driver';
import { Mounts } from '@gantry/lib-linux/mounts';

/** Directories whose mounts propagate between a container and the host. */
@injectable()
export class SharedDirectories {
  constructor(@inject(Mounts.token) private readonly mounts: Mounts) {}

  /** Makes mounts below the directory in a container appear on the host, too. Idempotent. */
  async share(directory: string): Promise<void> {
    const isMounted = await this.mounts.isMountPoint(directory);
    if (!isMounted) await this.mounts.bind({ source: directory, target: directory });
    await this.mounts.propagate(directory, 'shared');
  }

  /** Unmounts the directory and everything below it. Idempotent. */
  async unshare(directory: string): Promise<void> {
    await this.mounts.unmountTree(directory);
  }
}
