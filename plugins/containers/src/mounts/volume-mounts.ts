import { mkdir, stat } from 'node:fs/promises';
import { Clock, inject, injectable, withDeadline } from '@gantry/core/driver';
import { internal, messageOf } from '@gantry/core/errors';
import { VolumeService } from '@gantry/volumes/service';
import { ContainerDrivers } from '../container-drivers.js';
import type { ContainerRecord, MountPoint } from '../record.js';
import { checkBindSource } from './check-bind-source.js';
import { checkPropagation } from './check-propagation.js';
import { hostMountOf } from './host-mounts.js';
import type { ReadyMount } from './ready-mount.js';
import { volumeUseOf } from './volume-uses.js';

/** How long a volume driver may take to mount, in milliseconds: remote ones wait for servers. */
const mountTimeout = 120_000;

/** Mounts the volumes and images of containers and prepares the sources of their binds. */
@injectable()
export class VolumeMounts {
  constructor(
    @inject(VolumeService.token) private readonly volumes: Pick<VolumeService, 'mount' | 'unmount'>,
    @inject(ContainerDrivers) private readonly drivers: Pick<ContainerDrivers, 'storageOf'>,
    @inject(Clock.token) private readonly clock: Clock,
  ) {}

  /** The host paths of all mount points. What was mounted before a rejection is the caller's to unmount. */
  async mount(record: ContainerRecord): Promise<ReadyMount[]> {
    const ready = await Promise.allSettled(record.mounts.map((mount) => this.#ready(record, mount)));
    return ready.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
  }

  async #ready(record: ContainerRecord, mount: MountPoint): Promise<ReadyMount> {
    if (mount.type === 'tmpfs') return { mount, hostPath: undefined };
    if (mount.type === 'bind') {
      const source = await bindSource(mount);
      const isFile = !(await stat(source)).isDirectory();
      return { ...(await restricted(mount, source)), isFile };
    }
    if (mount.image !== undefined) {
      const label = record.labels && { label: record.labels.mount };
      return { mount, hostPath: await this.drivers.storageOf(record).mount(mount.image.writable, label) };
    }
    const name = mount.name ?? '';
    const work = this.volumes.mount(name, volumeUseOf(record, mount));
    const error = `volume ${name}: its driver did not mount it within ${mountTimeout / 1000} s`;
    try {
      return await restricted(
        mount,
        await withDeadline({ milliseconds: mountTimeout, error, timer: this.clock }, () => work),
      );
    } catch (failure) {
      // A driver that mounts it after the deadline would hold it without a user.
      void work.then(() => this.volumes.unmount(name, volumeUseOf(record, mount))).catch(() => undefined);
      throw failure;
    }
  }
}

/** Restrictions of the host's mount are repeated: a runtime may take a bind as permission to lift them. */
const restricted = async (mount: MountPoint, hostPath: string): Promise<ReadyMount> => ({
  mount,
  hostPath,
  forbids: (await hostMountOf(hostPath).catch(() => undefined))?.forbids ?? [],
});

/** An absent directory is created, as clients of `-v /host:/container` expect, unless the mount requires its source. */
async function bindSource(mount: MountPoint): Promise<string> {
  await checkBindSource(mount);
  const { source, propagation } = mount;
  try {
    await stat(source).catch(() => mkdir(source, { recursive: true }));
  } catch (cause) {
    throw internal(`error while creating mount source path '${source}': ${messageOf(cause)}`, { cause });
  }
  await checkPropagation(source, propagation);
  return source;
}
