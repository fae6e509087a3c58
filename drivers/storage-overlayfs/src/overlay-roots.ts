import { chmod, chown, mkdir, stat } from 'node:fs/promises';
import { hostRoot, IdMappings } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { notImplemented } from '@gantry/core/errors';
import { ProjectQuotas } from '@gantry/lib-linux/quotas';
import { OverlayHost } from './overlay-host.js';

/** The directories of writables: the owners of their roots, and how much they may hold. */
@injectable()
export class OverlayRoots {
  constructor(
    @inject(ProjectQuotas.token) private readonly quotas: Pick<ProjectQuotas, 'limit' | 'release'>,
    @inject(OverlayHost) private readonly host: OverlayHost,
    @inject(IdMappings) private readonly idMappings: IdMappings,
  ) {}

  /** Makes the root of a file system, like that of the layer below; without one it belongs to root of containers. */
  async make(path: string, parent: string | undefined): Promise<void> {
    await mkdir(path, { mode: 0o755 });
    const { mode, uid, gid } =
      parent === undefined ? { mode: 0o755, ...hostRoot(this.idMappings) } : await stat(parent);
    if (uid !== 0 || gid !== 0) await chown(path, uid, gid);
    await chmod(path, mode & 0o7777);
  }

  /** @throws EngineError `not-implemented` with the reason where sizes cannot be limited. */
  checkSize(id: string, size: number): void {
    if (this.host.noQuota === undefined) return;
    throw notImplemented(`StorageOpt: size ${size} of ${id} cannot be enforced: ${this.host.noQuota}`);
  }

  /** Limits what will be in a directory, which is empty. */
  async limit(directory: string, size: number): Promise<void> {
    await this.quotas.limit(directory, size);
  }

  /** Removes the limit of a directory, if any. */
  async release(directory: string): Promise<void> {
    if (this.host.noQuota === undefined) await this.quotas.release(directory);
  }
}
