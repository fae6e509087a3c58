import type { Readable } from 'node:stream';
import { inject, injectable, Logger, settlesWithin } from '@gantry/core/driver';
import type { TarEntry } from '@gantry/lib-archive/tar';
import type { Container } from '../container.js';
import { ContainerDrivers } from '../container-drivers.js';
import { PauseContainer } from '../lifecycle/pause-container.js';
import { UnpauseContainer } from '../lifecycle/unpause-container.js';
import { changedLayer } from '../roots/changed-layer.js';
import { directoryBelow } from '../roots/directory-below.js';
import { ContainerStore } from '../store/container-store.js';
import { isAlive } from '../transitions.js';
import type { LayerOptions } from './container-steps.js';

/** How long the exit of a container that cannot be paused may take to be recorded, in milliseconds. */
const exitTimeout = 2000;

/** Reads the changes of containers, which may be paused meanwhile. */
@injectable()
export class ContainerSnapshots {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(ContainerDrivers) private readonly drivers: ContainerDrivers,
    @inject(PauseContainer) private readonly pauseContainer: PauseContainer,
    @inject(UnpauseContainer) private readonly unpauseContainer: UnpauseContainer,
    @inject(Logger) private readonly log: Logger,
  ) {}

  async layer(reference: string, options: LayerOptions = {}): Promise<Readable | undefined> {
    const { record } = this.store.get(reference);
    const storage = this.drivers.storageOf(record);
    const isChanged = async (path: string, { mode, uid, gid }: TarEntry): Promise<boolean> => {
      const below = await directoryBelow(storage, record.id, path);
      // Where the image has none, the start made it.
      return below !== undefined && ((below.mode & 0o7777) !== mode || below.uid !== uid || below.gid !== gid);
    };
    return changedLayer(await storage.diff(record.id, options), isChanged, options.mountPoints);
  }

  async whilePaused<T>(reference: string, work: () => Promise<T>): Promise<T> {
    const container = this.store.get(reference);
    const { record } = container;
    if (record.state.status !== 'running') return work();
    try {
      await this.pauseContainer.pause(record.id);
    } catch (error) {
      if (await hasExited(container)) return work();
      throw error;
    }
    try {
      return await work();
    } finally {
      await this.#unpause(record.id);
    }
  }

  async #unpause(id: string): Promise<void> {
    await this.unpauseContainer.unpause(id).catch((error: unknown) => {
      // A client has unpaused, killed or removed it meanwhile.
      const facts = { event: 'container.resume-failed', container: id, error };
      this.log.debug(facts, 'failed to unpause a container');
    });
  }
}

/** Whether it has exited just now, which may not be recorded yet. */
async function hasExited(container: Container): Promise<boolean> {
  await settlesWithin(
    container.until(({ state }) => !isAlive(state)),
    exitTimeout,
  );
  return !isAlive(container.record.state);
}
