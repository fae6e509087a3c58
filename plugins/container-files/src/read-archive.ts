import type { Readable } from 'node:stream';
import { ContainerRoots, ContainerService } from '@gantry/containers/service';
import { type ArchiveDriver, ArchiveDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { parseClientPath } from './client-path.js';
import { ContainerTrees } from './container-trees.js';
import type { PathStatHeader } from './path-stat.js';
import { StatPath } from './stat-path.js';

interface PathArchive {
  readonly stat: PathStatHeader;
  /** A tar of what is at the path; the caller reads it to its end or destroys it. */
  readonly tar: Readable;
}

/** Spec: GET /containers/(id)/archive. */
@injectable()
export class ReadArchive {
  constructor(
    @inject(ContainerService.token) private readonly containers: ContainerService,
    @inject(ContainerRoots.token) private readonly roots: ContainerRoots,
    @inject(ContainerTrees) private readonly trees: ContainerTrees,
    @inject(StatPath) private readonly stats: StatPath,
    @inject(ArchiveDrivers.token) private readonly archives: DriverSet<ArchiveDriver>,
  ) {}

  /** Rejects as `StatPath.stat`. */
  async read(
    reference: string,
    written: string | undefined,
    options: { readonly signal: AbortSignal },
  ): Promise<PathArchive> {
    this.containers.get(reference);
    const path = parseClientPath(written);
    const root = await this.roots.hold(reference, { volumes: true });
    try {
      const stat = await this.stats.statIn(root, { reference, path, ...options });
      const tree = await this.trees.of(this.containers.get(root.containerId), root);
      const tar = this.archives.get().packTree(tree, path.path, { name: path.name, ...options });
      tar.once('close', () => void root.release());
      this.containers.publish(root.containerId, 'archive-path', { path: path.written });
      this.containers.publish(root.containerId, 'copy', { path: path.written });
      return { stat, tar };
    } catch (error) {
      await root.release();
      throw error;
    }
  }
}
