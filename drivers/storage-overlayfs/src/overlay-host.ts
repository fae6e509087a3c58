import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type DriverLifecycle, inject, injectable, PackageDirectories } from '@gantry/core/driver';
import { Mounts } from '@gantry/lib-linux/mounts';
import { ProjectQuotas } from '@gantry/lib-linux/quotas';
import { SELinux } from '@gantry/lib-linux/selinux';
import { OverlayProbe, type OverlaySupport } from './overlay-probe.js';

/** Prepares the host for overlays: what it supports, and a clean directory. */
@injectable()
export class OverlayHost implements DriverLifecycle {
  #support: OverlaySupport = { backingFilesystem: '', options: {} };
  #noQuota: string | undefined = 'the driver was not started';

  constructor(
    @inject(Mounts.token) private readonly mounts: Mounts,
    @inject(OverlayProbe) private readonly probe: OverlayProbe,
    @inject(ProjectQuotas.token) private readonly quotas: Pick<ProjectQuotas, 'unavailableReason'>,
    @inject(SELinux.token) private readonly selinux: Pick<SELinux, 'containerContexts' | 'relabelOnce'>,
    @inject(PackageDirectories) private readonly directories: Pick<PackageDirectories, 'root'>,
  ) {}

  /** Known once started. */
  get support(): OverlaySupport {
    return this.#support;
  }

  /** Why writables cannot be limited; undefined when they can. Known once started. */
  get noQuota(): string | undefined {
    return this.#noQuota;
  }

  /** An overlay must have something below. */
  get empty(): string {
    return join(this.directories.root, 'empty');
  }

  /** Rejects DriverSkipped where overlayfs cannot be used. */
  async start(): Promise<void> {
    this.#support = await this.probe.probe();
    this.#noQuota = await this.quotas.unavailableReason(this.directories.root);
    // Stale mounts of a crashed process would keep the directory from being removed.
    await this.mounts.unmountTree(join(this.directories.root, 'tmp'), { detach: 'always' });
    await mkdir(this.empty, { recursive: true, mode: 0o755 });
    await this.#labelLayers();
  }

  /**
   * Containers need to read layers by their own context: the label of a mount is not asked when a program changes the
   * protection of memory that it has mapped from a file (overlayfs maps the file of the layer).
   */
  async #labelLayers(): Promise<void> {
    const contexts = await this.selinux.containerContexts();
    if (contexts !== undefined) await this.selinux.relabelOnce(this.directories.root, contexts.image);
  }
}
