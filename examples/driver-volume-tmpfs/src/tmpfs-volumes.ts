import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DriverVolume, VolumeDriver } from '@gantry/core/contracts';
import { Config, inject, injectable, Mutex, PackageDirectories } from '@gantry/core/driver';
import { conflict, invalidArgument, notFound } from '@gantry/core/errors';
import { Mounts } from '@gantry/lib-linux/mounts';
import type { TmpfsVolumesConfig } from './config.js';

/** Records volumes in files below `root`. Their content is in memory, mounted below `state` while containers use it. */
@injectable()
export class TmpfsVolumes implements VolumeDriver {
  readonly capabilities = { scope: 'local', usage: false } as const;
  readonly #users = new Map<string, Set<string>>();
  readonly #mutex = new Mutex();

  constructor(
    @inject(PackageDirectories) private readonly directories: PackageDirectories,
    @inject(Config) private readonly config: TmpfsVolumesConfig,
    @inject(Mounts.token) private readonly mounts: Mounts,
  ) {}

  async create(name: string, { size = this.config.size, ...unknown }: Readonly<Record<string, string>>): Promise<void> {
    if (!/^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(name)) throw invalidArgument(`"${name}" is not a volume name`);
    const [option] = Object.keys(unknown);
    if (option !== undefined)
      throw invalidArgument(`"${option}" is not an option of tmpfs volumes; the only one is size`);
    if (!/^[1-9]\d*[kmg%]?$/.test(size)) throw invalidArgument(`size: "${size}" is not a size such as 64m or 10%`);
    await this.#mutex.run(async () => {
      if ((await this.#names()).includes(name)) return;
      // Written and renamed: a crash in between leaves no incomplete volume.
      await writeFile(this.#path('new'), size);
      await rename(this.#path('new'), this.#path(`v-${name}`));
    });
  }

  remove = (name: string): Promise<void> =>
    this.#mutex.run(async () => {
      await this.get(name);
      const users = [...(this.#users.get(name) ?? [])].join(', ');
      if (users !== '') throw conflict(`remove ${name}: volume is in use - [${users}]`);
      await this.#release(name);
      await rm(this.#path(`v-${name}`));
    });

  async get(name: string): Promise<DriverVolume> {
    if (!(await this.#names()).includes(name)) throw notFound(`no such volume: ${name}`);
    return { name, mountpoint: this.#target(name) };
  }

  list = async (): Promise<readonly DriverVolume[]> =>
    (await this.#names()).map((name) => ({ name, mountpoint: this.#target(name) }));

  mount = (name: string, user: string, options: { readonly signal?: AbortSignal } = {}): Promise<string> =>
    this.#mutex.run(async () => {
      options.signal?.throwIfAborted();
      const target = this.#target((await this.get(name)).name);
      // The mount of a killed daemon has the content that containers have written since.
      if (!(await this.mounts.isMountPoint(target))) {
        await mkdir(target, { recursive: true });
        const size = await readFile(this.#path(`v-${name}`), 'utf8');
        await this.mounts.mount({ source: 'tmpfs', target, type: 'tmpfs', data: `size=${size}` });
      }
      this.#users.set(name, (this.#users.get(name) ?? new Set()).add(user));
      return target;
    });

  unmount = (name: string, user: string): Promise<void> =>
    this.#mutex.run(async () => {
      const users = this.#users.get(name);
      if (users?.delete(user) === true && users.size === 0) await this.#release(name);
    });

  #release = (name: string): Promise<boolean> => this.mounts.unmount(this.#target(name));

  #names = async (): Promise<string[]> =>
    (await readdir(this.directories.root)).flatMap((file) => (file.startsWith('v-') ? [file.slice(2)] : []));

  #path = (file: string): string => path.join(this.directories.root, file);
  #target = (name: string): string => path.join(this.directories.state, name);
}
