import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { DriverVolume, VolumeDriver } from '@gantry/core/contracts';
import { Config, inject, injectable, Mutex, PackageDirectories } from '@gantry/core/driver';
import { conflict, invalidArgument, notFound } from '@gantry/core/errors';
import type { __Name__Config } from './config.js';

/** One directory for each volume. */
@injectable()
export class __Name__Volumes implements VolumeDriver {
  readonly capabilities = { scope: 'local', usage: false } as const;
  /** The containers that use a volume. */
  readonly #users = new Map<string, Set<string>>();
  readonly #mutex = new Mutex();

  constructor(
    @inject(PackageDirectories) private readonly directories: PackageDirectories,
    @inject(Config) private readonly config: __Name__Config,
  ) {}

  /** A volume that was being removed when the daemon was killed has a name that no volume can have. */
  async start(): Promise<void> {
    for (const name of await readdir(this.directories.root)) {
      if (name.startsWith(removed)) await rm(this.#path(name), { recursive: true });
    }
  }

  async create(name: string, options: Readonly<Record<string, string>>): Promise<void> {
    if (!/^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(name)) throw invalidArgument(`"${name}" is not a volume name`);
    const [option] = Object.keys(options);
    if (option !== undefined) throw invalidArgument(`"${option}" is not an option of __id__ volumes: they have none`);
    await mkdir(this.#path(name), { recursive: true, mode: Number.parseInt(this.config.mode, 8) });
  }

  remove(name: string): Promise<void> {
    return this.#mutex.run(async () => {
      await this.get(name);
      const users = [...(this.#users.get(name) ?? [])].join(', ');
      if (users !== '') throw conflict(`remove ${name}: volume is in use - [${users}]`);
      // Renamed first: a crash in between leaves either the whole volume or none.
      await rename(this.#path(name), this.#path(`${removed}${name}`));
      await rm(this.#path(`${removed}${name}`), { recursive: true });
    });
  }

  async get(name: string): Promise<DriverVolume> {
    const volume = (await this.list()).find((candidate) => candidate.name === name);
    if (volume === undefined) throw notFound(`no such volume: ${name}`);
    return volume;
  }

  async list(): Promise<readonly DriverVolume[]> {
    const names = await readdir(this.directories.root);
    return names.filter((name) => !name.startsWith(removed)).map((name) => ({ name, mountpoint: this.#path(name) }));
  }

  mount(name: string, user: string, { signal }: { readonly signal?: AbortSignal } = {}): Promise<string> {
    return this.#mutex.run(async () => {
      signal?.throwIfAborted();
      await this.get(name);
      this.#users.set(name, (this.#users.get(name) ?? new Set()).add(user));
      return this.#path(name);
    });
  }

  async unmount(name: string, user: string): Promise<void> {
    this.#users.get(name)?.delete(user);
  }

  #path(name: string): string {
    return path.join(this.directories.root, name);
  }
}

const removed = '.removed-';
