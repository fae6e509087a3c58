import type { DriverVolume, VolumeDriver } from '@gantry/core/contracts';
import {
  Config,
  type DriverLifecycle,
  diskSemaphore,
  inject,
  injectable,
  KeyedMutex,
  Logger,
  withDeadline,
} from '@gantry/core/driver';
import { conflict, kindOf, messageOf, notFound, unavailable } from '@gantry/core/errors';
import { Mounts } from '@gantry/lib-linux/mounts';
import type { LocalVolumesConfig } from './config.js';
import { diskUsage } from './disk-usage.js';
import { mountVolume } from './mount-volume.js';
import { VolumeDirectory } from './volume-directory.js';
import { checkVolumeName, parseVolumeOptions } from './volume-options.js';

/** Volumes that are directories, or mounted on directories, of this host. */
@injectable()
export class LocalVolumes implements VolumeDriver, DriverLifecycle {
  readonly capabilities = { scope: 'local', usage: true } as const;
  /** By volume. After a restart the engine mounts again for the running containers. */
  readonly #users = new Map<string, Set<string>>();
  readonly #mutex = new KeyedMutex();

  constructor(
    @inject(VolumeDirectory) private readonly directory: VolumeDirectory,
    @inject(Mounts.token) private readonly mounts: Mounts,
    @inject(Logger) private readonly log: Logger,
    @inject(Config) private readonly config: LocalVolumesConfig,
  ) {}

  async start(): Promise<void> {
    for (const reason of await this.directory.prepare()) {
      this.log.warn({ event: 'volume.not-deleted', reason }, 'failed to delete the content of a removed volume');
    }
  }

  async create(name: string, options: Readonly<Record<string, string>>): Promise<void> {
    checkVolumeName(name);
    const parsed = parseVolumeOptions(options);
    await this.#mutex.run(name, async () => {
      if (!(await this.directory.has(name))) await diskSemaphore.run(() => this.directory.make(name, parsed));
    });
  }

  remove(name: string): Promise<void> {
    return this.#mutex.run(name, async () => {
      await this.#mustExist(name);
      const users = this.#users.get(name);
      if (users !== undefined) throw conflict(`remove ${name}: volume is in use - [${[...users].join(', ')}]`);
      // Mounted file systems, by options or by an administrator, keep their content.
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
    return this.#mutex.run(name, async () => {
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
    return this.#mutex.run(name, async () => {
      const users = this.#users.get(name);
      if (users === undefined || !users.delete(user)) return;
      if (users.size > 0) return;
      this.#users.delete(name);
      if ((await this.directory.optionsOf(name)) !== undefined) {
        const path = this.directory.contentOf(name);
        await this.#unmountOrDetach(path, this.mounts.unmount(path));
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

  /** A mount of an earlier daemon is reused. */
  async #mountIfNeeded(name: string, path: string, signal: AbortSignal | undefined): Promise<void> {
    const options = await this.directory.optionsOf(name);
    if (options !== undefined && (await this.mounts.isMountPoint(path))) return;
    await this.directory.prepareContent(name);
    if (options === undefined) return;
    const mounting = mountVolume(this.mounts, options, path);
    try {
      await this.#withTimeout('failed to mount local volume', mounting, signal);
    } catch (error) {
      // The server may answer late: the mount must not stay.
      mounting
        .then(() => this.mounts.unmount(path))
        .catch((reason: unknown) => {
          this.log.debug({ event: 'volume.late', volume: name, error: reason }, 'no late mount to unmount');
        });
      throw error;
    }
  }

  /** Detaches a mount whose server does not answer. */
  async #unmountOrDetach(path: string, unmounting: Promise<unknown>): Promise<void> {
    const failure = `${path} cannot be unmounted`;
    try {
      await this.#withTimeout(failure, unmounting);
    } catch (error) {
      if (kindOf(error) !== 'unavailable') throw error;
      this.log.warn({ event: 'volume.detached', path, error }, 'unmount timed out; detaching the mount');
      await this.#withTimeout(failure, this.mounts.unmountTree(path, { detach: 'always', force: true }));
    }
  }

  /** Rejects `unavailable` at the timeout. The work itself cannot be cancelled, and goes on. */
  #withTimeout<T>(failure: string, work: Promise<T>, signal?: AbortSignal): Promise<T> {
    const { mountSeconds } = this.config;
    const error = `${failure}: no answer within ${mountSeconds} s`;
    return withDeadline({ milliseconds: mountSeconds * 1000, error, signal }, () => work);
  }

  async #unmountAll(name: string): Promise<void> {
    const path = this.directory.contentOf(name);
    const below = (await this.mounts.list()).filter(({ target }) => target === path || target.startsWith(`${path}/`));
    if (below.length === 0) return;
    try {
      await this.#unmountOrDetach(path, this.mounts.unmountTree(path));
    } catch (error) {
      throw unavailable(`remove ${name}: it is mounted, and cannot be unmounted: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }
}
