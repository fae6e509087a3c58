import { lookup } from 'node:dns/promises';
import { chmod, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { DriverVolume, VolumeCapabilities, VolumeDriver } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/contracts';
import type { DriverLifecycle, Logger } from '@gantry/core/driver';
import { conflict, invalidArgument, messageOf, notFound, unavailable } from '@gantry/core/errors';
import type { Mounts } from '@gantry/linux/mounts';
import { directorySize } from './directory-size.js';
import { parseVolumeOptions, toMountRequest, type VolumeMount } from './options.js';
import { makePrivate, readOptions, syncDirectory, writeOptions } from './options-file.js';

export interface LocalVolumesOptions {
  readonly root: string;
  readonly mounts: Mounts;
  readonly log: Logger;
  readonly mountSeconds: number;
}

const namePattern = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/;

/**
 * Volumes as directories: `<root>/<name>/_data`, with `opts.json` beside it. A volume appears, and goes, by one rename:
 * what a crash left half made or half removed lies under `.tmp` and is gone after the next start.
 */
export class LocalVolumes implements VolumeDriver, DriverLifecycle {
  readonly capabilities: VolumeCapabilities = { scope: 'local', usage: true };
  readonly #users = new Map<string, Set<string>>();
  readonly #queues = new Map<string, Promise<void>>();
  #made = 0;

  constructor(private readonly options: LocalVolumesOptions) {}

  async start(): Promise<void> {
    await rm(this.#trash, { recursive: true, force: true });
    await makePrivate(this.#trash);
  }

  create(name: string, options: Readonly<Record<string, string>>): Promise<void> {
    return this.#serial(name, async () => {
      checkName(name);
      parseVolumeOptions(options);
      if (await this.#exists(name)) return;
      const fresh = path.join(this.#trash, `new-${process.pid}-${this.#made++}`);
      await makePrivate(path.join(fresh, '_data'));
      await chmod(path.join(fresh, '_data'), 0o755);
      if (Object.keys(options).length > 0) await writeOptions(fresh, options);
      crashPoint('volume-local.create.made');
      await rename(fresh, this.#directory(name));
      await syncDirectory(this.options.root);
    });
  }

  remove(name: string): Promise<void> {
    return this.#serial(name, async () => {
      await this.#demand(name);
      const users = this.#users.get(name)?.size ?? 0;
      if (users > 0) throw conflict(`remove ${name}: volume is in use: ${users} mounts`);
      await this.options.mounts.unmount(this.#data(name));
      const gone = path.join(this.#trash, `old-${process.pid}-${this.#made++}`);
      await rename(this.#directory(name), gone);
      await syncDirectory(this.options.root);
      crashPoint('volume-local.remove.renamed');
      await rm(gone, { recursive: true, force: true });
    });
  }

  async get(name: string): Promise<DriverVolume> {
    await this.#demand(name);
    return { name, mountpoint: this.#data(name) };
  }

  async list(): Promise<readonly DriverVolume[]> {
    const entries = await readdir(this.options.root, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && namePattern.test(entry.name))
      .map(({ name }) => ({ name, mountpoint: this.#data(name) }));
  }

  mount(name: string, user: string, options: { readonly signal?: AbortSignal } = {}): Promise<string> {
    return this.#serial(name, async () => {
      await this.#demand(name);
      options.signal?.throwIfAborted();
      const described = parseVolumeOptions(await readOptions(this.#directory(name)));
      const target = this.#data(name);
      if (described !== undefined && !(await this.options.mounts.isMountPoint(target)))
        await this.#attach(described, target);
      const users = this.#users.get(name) ?? new Set();
      this.#users.set(name, users.add(user));
      return target;
    });
  }

  unmount(name: string, user: string): Promise<void> {
    return this.#serial(name, async () => {
      const users = this.#users.get(name);
      if (users?.delete(user) !== true || users.size > 0) return;
      this.#users.delete(name);
      if (Object.keys(await readOptions(this.#directory(name))).length === 0) return;
      await this.options.mounts.unmount(this.#data(name));
    });
  }

  async usage(name: string, options: { readonly signal?: AbortSignal } = {}): Promise<number> {
    await this.#demand(name);
    return directorySize(this.#data(name), options.signal);
  }

  async #attach(described: VolumeMount, target: string): Promise<void> {
    const { bind, ...request } = toMountRequest(await withServerAddress(described), target);
    const { mountSeconds, mounts } = this.options;
    const { type, source, flags = [], data } = request;
    const mounting = bind
      ? mounts.bind({ source, target, recursive: true, flags })
      : mounts.mount({ source, target, type, flags, ...(data !== undefined && { data }) });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${mountSeconds} s`)), mountSeconds * 1000);
    });
    try {
      await Promise.race([mounting, late]);
    } catch (error) {
      // A server that answers after all must not leave a mount that nobody knows of.
      void mounting.then(() => mounts.unmount(target)).catch(() => undefined);
      throw unavailable(
        `failed to mount local volume: mount ${source}:${target}, data: ${described.o}: ${messageOf(error)}`,
        {
          cause: error,
        },
      );
    } finally {
      clearTimeout(timer);
    }
  }

  async #demand(name: string): Promise<void> {
    checkName(name);
    if (!(await this.#exists(name))) throw notFound(`get ${name}: no such volume`);
  }

  #exists(name: string): Promise<boolean> {
    return stat(this.#directory(name)).then(
      (status) => status.isDirectory(),
      () => false,
    );
  }

  #directory(name: string): string {
    return path.join(this.options.root, name);
  }

  #data(name: string): string {
    return path.join(this.options.root, name, '_data');
  }

  get #trash(): string {
    return path.join(this.options.root, '.tmp');
  }

  /** Work on one volume, after what was asked for before. */
  #serial<T>(name: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#queues.get(name) ?? Promise.resolve()).then(work);
    const settled = result.then(
      () => undefined,
      () => undefined,
    );
    this.#queues.set(name, settled);
    void settled.then(() => {
      if (this.#queues.get(name) === settled) this.#queues.delete(name);
    });
    return result;
  }
}

/** The name becomes a directory's. */
function checkName(name: string): void {
  if (!namePattern.test(name) || name.length > 255) {
    throw invalidArgument(
      `"${name}" includes invalid characters for a local volume name, only "[a-zA-Z0-9][a-zA-Z0-9_.-]" are allowed. If you intended to pass a host directory, use absolute path`,
    );
  }
}

/** The kernel's NFS client takes addresses, not names. */
async function withServerAddress(described: VolumeMount): Promise<VolumeMount> {
  const server = /(?:^|,)addr=([^,]+)/.exec(described.o)?.[1];
  if (server === undefined || !described.type.startsWith('nfs')) return described;
  try {
    const { address } = await lookup(server);
    return { ...described, o: described.o.replace(`addr=${server}`, `addr=${address}`) };
  } catch (error) {
    throw unavailable(`failed to mount local volume: cannot resolve ${server}: ${messageOf(error)}`, { cause: error });
  }
}
