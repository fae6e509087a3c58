import { ContainerRoots, ContainerService, type HeldRoot } from '@gantry/containers/service';
import { type ArchiveDriver, ArchiveDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { type ClientPath, parseClientPath } from './client-path.js';
import { ContainerTrees } from './container-trees.js';
import { type PathStatHeader, toPathStat } from './path-stat.js';
import { rewordErrors } from './reword-errors.js';

/** A path in a mounted root, as the client named both. */
interface StatRequest {
  readonly reference: string;
  readonly path: ClientPath;
  readonly signal: AbortSignal;
}

/** Spec: HEAD /containers/(id)/archive. */
@injectable()
export class StatPath {
  constructor(
    @inject(ContainerService.token) private readonly containers: ContainerService,
    @inject(ContainerRoots.token) private readonly roots: ContainerRoots,
    @inject(ContainerTrees) private readonly trees: ContainerTrees,
    @inject(ArchiveDrivers.token) private readonly archives: DriverSet<ArchiveDriver>,
  ) {}

  /** Rejects `not-found`, `invalid-argument` when a file is named as a directory. */
  async stat(
    reference: string,
    written: string | undefined,
    options: { readonly signal: AbortSignal },
  ): Promise<PathStatHeader> {
    this.containers.get(reference);
    const path = parseClientPath(written);
    const root = await this.roots.hold(reference, { volumes: true });
    try {
      return await this.statIn(root, { reference, path, ...options });
    } finally {
      await root.release();
    }
  }

  /** The same in a root that is mounted already. */
  statIn(root: HeldRoot, { reference, path, signal }: StatRequest): Promise<PathStatHeader> {
    const record = this.containers.get(root.containerId);
    return rewordErrors(record, reference, path, async () => {
      const tree = await this.trees.of(record, root);
      return toPathStat(path, await this.archives.get().statInRoot(tree, path.path, { signal }));
    });
  }
}
