import { inject, injectable, Logger } from '@gantry/core/driver';
import { VolumeService } from '@gantry/volumes/service';
import type { Container } from '../container.js';
import { ContainerDrivers } from '../container-drivers.js';
import { imageWritablesOf } from '../mounts/image-writables.js';
import { MountPins } from '../mounts/mount-pins.js';
import type { ReadyMount } from '../mounts/ready-mount.js';
import { VolumeMounts } from '../mounts/volume-mounts.js';
import { volumeUses } from '../mounts/volume-uses.js';
import { StoredSizes } from '../store/stored-sizes.js';
import { isAlive } from '../transitions.js';
import type { HeldRoot } from './container-roots.js';

/** Mounts root file systems for readers, also of containers that do not run, and unmounts them after their last user. */
@injectable()
export class RootMounts {
  /** Number of holders by container. */
  readonly #holders = new Map<string, number>();
  readonly #holds = new WeakMap<Container, number>();

  constructor(
    @inject(ContainerDrivers) private readonly drivers: ContainerDrivers,
    @inject(VolumeMounts) private readonly volumeMounts: VolumeMounts,
    @inject(VolumeService.token) private readonly volumes: Pick<VolumeService, 'unmount'>,
    @inject(MountPins) private readonly pins: MountPins,
    @inject(StoredSizes) private readonly sizes: Pick<StoredSizes, 'forget'>,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** How often the root was held: what a reader of it knows is true until it is held again. Undefined while it is held. */
  holdsOf(container: Container): number | undefined {
    return this.isHeld(container.id) ? undefined : (this.#holds.get(container) ?? 0);
  }

  isHeld(containerId: string): boolean {
    return this.#holders.has(containerId);
  }

  /** Mounts the root, with `volumes` the volumes too. On rejection nothing stays mounted. */
  async hold(container: Container, { volumes }: { readonly volumes: boolean }): Promise<HeldRoot> {
    let releasePins = async () => {};
    const releaseMounts = this.#acquire(container, volumes);
    const release = async () => {
      await releasePins();
      await releaseMounts();
    };
    try {
      // Resources of the last run are about to be unmounted; what is mounted from now on stays.
      await container.released;
      // Who holds the root may write to it.
      await this.sizes.forget(container.id);
      const directory = await this.drivers.mountRoot(container.record);
      const pinned = await this.pins.pin(volumes ? await this.#mountsOf(container) : []);
      releasePins = pinned.release;
      const mounts = pinned.mounts.flatMap(({ mount, hostPath, pin = hostPath }) =>
        pin === undefined || pin === '' ? [] : [{ mount, hostPath: pin }],
      );
      return { containerId: container.id, directory, mounts, release };
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** Unmounts a root and images that no run needs any more; while they are held, their last holder does that. */
  async unmountUnused(container: Container): Promise<void> {
    if (this.isHeld(container.id)) return;
    const storage = this.drivers.storageOf(container.record);
    for (const id of [container.id, ...imageWritablesOf(container.record)]) await storage.unmount(id);
  }

  async #mountsOf({ record }: Container): Promise<readonly ReadyMount[]> {
    // The run has mounted them already, and its record has the sources.
    return isAlive(record.state)
      ? record.mounts.map((mount) => ({ mount, hostPath: mount.type === 'tmpfs' ? undefined : mount.source }))
      : this.volumeMounts.mount(record);
  }

  #acquire(container: Container, volumes: boolean): () => Promise<void> {
    const { id } = container;
    this.#holders.set(id, (this.#holders.get(id) ?? 0) + 1);
    this.#holds.set(container, (this.#holds.get(container) ?? 0) + 1);
    let isHeld = true;
    return async () => {
      if (!isHeld) return;
      isHeld = false;
      const left = (this.#holders.get(id) ?? 1) - 1;
      if (left === 0) this.#holders.delete(id);
      else this.#holders.set(id, left);
      try {
        // Behind a start that is under way, so that it keeps what it mounts.
        await container.mutex.run(() => this.#unmount(container, volumes));
      } catch (error) {
        const facts = { event: 'container.root-not-unmounted', container: id, error };
        this.log.error(facts, 'failed to unmount the root of a container that is not running');
      }
    };
  }

  async #unmount(container: Container, volumes: boolean): Promise<void> {
    if (this.isHeld(container.id) || container.isRemoved || isAlive(container.record.state)) return;
    await container.released;
    await this.unmountUnused(container);
    if (!volumes) return;
    await Promise.all(volumeUses(container.record).map(({ name, use }) => this.volumes.unmount(name, use)));
  }
}
