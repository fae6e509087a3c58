import type { Readable } from 'node:stream';
import { ContainerRoots, ContainerService } from '@gantry/containers/service';
import { type ArchiveDriver, ArchiveDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';

/** Spec: GET /containers/(id)/export. */
@injectable()
export class ExportContainer {
  constructor(
    @inject(ContainerService.token) private readonly containers: ContainerService,
    @inject(ContainerRoots.token) private readonly roots: ContainerRoots,
    @inject(ArchiveDrivers.token) private readonly archives: DriverSet<ArchiveDriver>,
  ) {}

  /** A tar of the root without volumes; the caller reads it to its end or destroys it. */
  async export(reference: string, options: { readonly signal: AbortSignal }): Promise<Readable> {
    const root = await this.roots.hold(reference, { volumes: false });
    const tar = this.archives.get().packTree(root.directory, '/', { name: '', ...options });
    tar.once('close', () => void root.release());
    this.containers.publish(root.containerId, 'export');
    return tar;
  }
}
