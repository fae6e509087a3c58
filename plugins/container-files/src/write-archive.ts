import type { Readable } from 'node:stream';
import { type ContainerRecord, ContainerRoots, ContainerService, resolveUser } from '@gantry/containers/service';
import { type ArchiveDriver, ArchiveDrivers, type FileOwner } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { forbidden } from '@gantry/core/errors';
import { type ClientPath, parseClientPath } from './client-path.js';
import { ContainerTrees } from './container-trees.js';
import { rewordErrors } from './reword-errors.js';

interface WriteRequest {
  /** A tar, compressed or not. Consumed or destroyed in every case. */
  readonly body: Readable;
  /** Reject `invalid-argument` instead of replacing a directory with something else, or the reverse. */
  readonly keepDirectories: boolean;
  /** Everything is owned by the container's user. */
  readonly ownedByUser: boolean;
  readonly signal: AbortSignal;
}

/** Spec: PUT /containers/(id)/archive. */
@injectable()
export class WriteArchive {
  constructor(
    @inject(ContainerService.token) private readonly containers: ContainerService,
    @inject(ContainerRoots.token) private readonly roots: ContainerRoots,
    @inject(ContainerTrees) private readonly trees: ContainerTrees,
    @inject(ArchiveDrivers.token) private readonly archives: DriverSet<ArchiveDriver>,
  ) {}

  /**
   * Rejects `not-found` without the directory, `invalid-argument` when it is none or the archive is corrupted, `forbidden`
   * when it is read-only. Entries before the corrupted one stay extracted.
   */
  async write(reference: string, written: string | undefined, request: WriteRequest): Promise<void> {
    try {
      this.containers.get(reference);
      const path = parseClientPath(written);
      refuseKernelPaths(path);
      await this.#extract(reference, path, request);
    } finally {
      request.body.destroy();
    }
  }

  async #extract(reference: string, path: ClientPath, request: WriteRequest): Promise<void> {
    const { body, keepDirectories, ownedByUser, signal } = request;
    const root = await this.roots.hold(reference, { volumes: true });
    try {
      const record = this.containers.get(root.containerId);
      await rewordErrors(record, reference, path, async () => {
        const tree = await this.trees.of(record, root);
        const owner = ownedByUser ? await ownerIn(root.directory, record) : undefined;
        const options = { keepDirectories, signal, ...(owner !== undefined && { owner }) };
        await this.archives.get().extract({ stream: body, transferable: true }, tree, path.path, options);
      });
      this.containers.publish(record.id, 'extract-to-dir', { path: path.written });
      this.containers.publish(record.id, 'copy', { path: path.written });
    } finally {
      await root.release();
    }
  }
}

/** Files extracted there would never be visible: kernel file systems hide them while the container runs. */
function refuseKernelPaths({ path }: ClientPath): void {
  const found = /^\/(proc|sys|dev)(\/|$)/.exec(path);
  if (found !== null) throw forbidden(`cannot write to /${found[1]} of a container: it is the kernel's while it runs`);
}

async function ownerIn(rootfs: string, { config, hostConfig }: ContainerRecord): Promise<FileOwner> {
  const { uid, gid } = await resolveUser(rootfs, config.User ?? '', hostConfig.GroupAdd ?? []);
  return { uid, gid };
}
