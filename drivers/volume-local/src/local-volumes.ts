import type { DriverVolume, VolumeDriver } from '@gantry/core/contracts';
import { type DriverLifecycle, diskSemaphore, KeyedMutex, type Logger } from '@gantry/core/driver';
import { conflict, kindOf, messageOf, notFound, unavailable } from '@gantry/core/errors';
import type { Mounts } from '@gantry/lib-linux/mounts';
import { diskUsage } from './disk-usage.js';
import { mountVolume } from './mount-volume.js';
import { withPatience } from './patience.js';
import type { VolumeDirectory } from './volume-directory.js';
import { checkVolumeName, parseVolumeOptions } from './volume-options.js';

/** Volumes that are directories, or mounted on directories, of this host. */
export class LocalVolumes implements VolumeDriver, DriverLifecycle {
  readonly capabilities = { scope: 'local', usage: true } as const;
  /** By volume. After a restart the engine mounts again for the containers that run. */
  readonly #users = new Map<string, Set<string>>();
  readonly #serial = new KeyedMutex();

  constructor(
    private readonly directory: VolumeDirectory,
    private readonly mounts: Mounts,
    private readonly log: Logger,
    private readonly mountSeconds: number,
  ) {}

  async start(): Promise<void> {
    for (const reason of await this.directory.prepare()) {
      this.log.warn({ event: 'volume.not-deleted', reason }, 'what a removed volume held could not be deleted');
    }
  }

  async create(name: string, options: Readonly<Record<string, string>>): Promise<void> {
    checkVolumeName(name);
    const parsed = parseVolumeOptions(options);
    await this.#serial.run(name, async () => {
      if (!(await this.directory.has(name))) await diskSemaphore.run(() => this.directory.make(name, parsed));
    });
  }

  remove(name: string): Promise<void> {
    return this.#serial.run(name, async () => {
      await this.#mustExist(name);
      const users = this.#users.get(name);
      if (users !== undefined) throw conflict(`remove ${name}: volume is in use - [${[...users].join(', ')}]`);
      // What is mounted, by options or by an administrator, is not the volume's to delete.
      await this.#unmountAll(name);
      await diskSemaphore.run(() => this.directory.remove(name));
    });
  }

  async get(name: string): Promise<DriverVolume> {
    await this.#mustExist(name);
    return { name, mountpoint: this.directory.contentOf(name) };
  }

  async list(): Promise<readonly DriverVolume[]> {
    const names = await this.directory.names();
    return names.map((name) => ({ name, mountpoint: this.directory.contentOf(name) }));
  }

  mount(name: string, user: string, options: { readonly signal?: AbortSignal } = {}): Promise<string> {
    return this.#serial.run(name, async () => {
      options.signal?.throwIfAborted();
      await this.#mustExist(name);
      const path = this.directory.contentOf(name);
      const users = this.#users.get(name) ?? new Set();
      if (users.size === 0) await this.#mountIfNeeded(name, path, options.signal);
      this.#users.set(name, users.add(user));
      return path;
    });
  }

  unmount(name: string, user: string): Promise<void> {
    return this.#serial.run(name, async () => {
      const users = this.#users.get(name);
      if (users === undefined || !users.delete(user)) return;
      if (users.size > 0) return;
      this.#users.delete(name);
      if ((await this.directory.optionsOf(name)) !== undefined) {
        const path = this.directory.contentOf(name);
        await this.#orLetGo(path, this.mounts.unmount(path));
      }
    });
  }

  async usage(name: string, options: { readonly signal?: AbortSignal } = {}): Promise<number> {
    options.signal?.throwIfAborted();
    await this.#mustExist(name);
    return diskUsage(this.directory.contentOf(name), options.signal);
  }

  async #mustExist(name: string): Promise<void> {
    checkVolumeName(name);
    if (!(await this.directory.has(name))) throw notFound(`get ${name}: no such volume`);
  }

  /** A mount that an earlier daemon left is as good as a new one. */
  async #mountIfNeeded(name: string, path: string, signal: AbortSignal | undefined): Promise<void> {
    const options = await this.directory.optionsOf(name);
    if (options !== undefined && (await this.mounts.isMountPoint(path))) return;
    await this.directory.prepareContent(name);
    if (options === undefined) return;
    const mounting = mountVolume(this.mounts, options, path);
    try {
      await withPatience('failed to mount local volume', mounting, this.mountSeconds, signal);
    } catch (error) {
      // A server that answers after all must not leave a mount that nobody knows of.
      mounting
        .then(() => this.mounts.unmount(path))
        .catch((reason: unknown) => {
          this.log.debug({ event: 'volume.late', volume: name, reason: messageOf(reason) }, 'no late mount to undo');
        });
      throw error;
    }
  }

  /** What a server that does not answer keeps from being unmounted is taken out of the tree at once. */
  async #orLetGo(path: string, unmounting: Promise<unknown>): Promise<void> {
    const late = `${path} cannot be unmounted`;
    try {
      await withPatience(late, unmounting, this.mountSeconds);
    } catch (error) {
      if (kindOf(error) !== 'unavailable') throw error;
      this.log.warn({ event: 'volume.detached', path, reason: messageOf(error) }, 'a mount that hangs is let go');
      await withPatience(late, this.mounts.unmountTree(path, { detach: 'always', force: true }), this.mountSeconds);
    }
  }

  async #unmountAll(name: string): Promise<void> {
    const path = this.directory.contentOf(name);
    const below = (await this.mounts.list()).filter(({ target }) => target === path || target.startsWith(`${path}/`));
    if (below.length === 0) return;
    try {
      await this.#orLetGo(path, this.mounts.unmountTree(path));
    } catch (error) {
      throw unavailable(`remove ${name}: it is mounted, and cannot be unmounted: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }
}
