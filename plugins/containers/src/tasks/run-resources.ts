import { inject, injectable, Logger } from '@gantry/core/driver';
import { SandboxService } from '@gantry/networks/service';
import { VolumeService } from '@gantry/volumes/service';
import type { Container } from '../container.js';
import { ContainerDrivers } from '../container-drivers.js';
import { volumeUses } from '../mounts/volume-uses.js';
import { RootMounts } from '../roots/root-mounts.js';
import { Attachments } from '../streams/attachments.js';

/** What a run holds: streams, task, networks, volumes and root file system. */
@injectable()
export class RunResources {
  constructor(
    @inject(ContainerDrivers) private readonly drivers: ContainerDrivers,
    @inject(SandboxService.token) private readonly sandboxes: Pick<SandboxService, 'close'>,
    @inject(VolumeService.token) private readonly volumes: Pick<VolumeService, 'unmount'>,
    @inject(RootMounts) private readonly roots: RootMounts,
    @inject(Attachments) private readonly attachments: Attachments,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /**
   * Releases everything a run holds, or a start has acquired so far. Never rejects: what cannot be released is logged,
   * and the next daemon tries again.
   */
  async release(container: Container): Promise<void> {
    const { record, id } = container;
    const attempt = async (resource: string, work: () => Promise<void>): Promise<void> => {
      try {
        await work();
      } catch (error) {
        const facts = { event: 'container.release-failed', container: id, resource, error };
        this.log.error(facts, 'failed to release a resource of a container');
      }
    };
    // First the output is drained, which ends with the task.
    await this.attachments.endRun(id);
    const task = attempt('task', () => this.drivers.runtimeOf(record).delete(id, { force: true }));
    const networks = attempt('networks', () => container.networkMutex.run(() => this.sandboxes.close(id)));
    const root = task.then(() => attempt('root file system', () => this.roots.unmountUnused(container)));
    await Promise.all([task, networks]);
    // Events of networks come before those of volumes.
    const volumes = volumeUses(record).map(({ name, use }) =>
      attempt(`volume ${name}`, () => this.volumes.unmount(name, use)),
    );
    await Promise.all([root, ...volumes]);
  }
}
