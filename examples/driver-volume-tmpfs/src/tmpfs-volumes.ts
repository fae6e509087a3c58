import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DriverVolume, VolumeDriver } from '@gantry/core/contracts';
import { conflict, invalidArgument, notFound } from '@gantry/core/errors';
import type { Mounts } from '@gantry/lib-linux/mounts';

/** Keeps what volumes there are below `root`; what they hold is in memory, below `state`, while somebody uses it. */
export class TmpfsVolumes implements VolumeDriver {
  readonly capabilities = { scope: 'local', usage: false } as const;
  readonly #users = new Map<string, Set<string>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly dirs: { readonly root: string; readonly state: string },
    private readonly defaultSize: string,
    private readonly mounts: Pick<Mounts, 'mount' | 'unmount' | 'isMountPoint'>,
  ) {}

  async create(name: string, { size = this.defaultSize, ...unknown }: Readonly<Record<string, string>>): Promise<void> {
    if (!/^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(name)) throw invalidArgument(`"${name}" is no name of a volume`);
    const [option] = Object.keys(unknown);
    if (option !== undefined) throw invalidArgument(`"${option}" is no option of tmpfs volumes; there is: size`);
    if (!/^[1-9]\d*[kmg%]?$/.test(size)) throw invalidArgument(`size: "${size}" is no size such as 64m or 10%`);
    await this.#inTurn(async () => {
      if ((await this.#names()).includes(name)) return;
      // Written beside and renamed: a crash in between leaves no volume rather than half of one.
      await writeFile(this.#path('new'), size);
      await rename(this.#path('new'), this.#path(`v-${name}`));
    });
  }

  remove = (name: string): Promise<void> =>
    this.#inTurn(async () => {
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
    this.#inTurn(async () => {
      options.signal?.throwIfAborted();
      const target = this.#target((await this.get(name)).name);
      // One that a killed daemon has left holds what containers have written since.
      if (!(await this.mounts.isMountPoint(target))) {
        await mkdir(target, { recursive: true });
        const size = await readFile(this.#path(`v-${name}`), 'utf8');
        await this.mounts.mount({ source: 'tmpfs', target, type: 'tmpfs', data: `size=${size}` });
      }
      this.#users.set(name, (this.#users.get(name) ?? new Set()).add(user));
      return target;
    });

  unmount = (name: string, user: string): Promise<void> =>
    this.#inTurn(async () => {
      const users = this.#users.get(name);
      if (users?.delete(user) === true && users.size === 0) await this.#release(name);
    });

  #release = (name: string): Promise<boolean> => this.mounts.unmount(this.#target(name));

  #names = async (): Promise<string[]> =>
    (await readdir(this.dirs.root)).flatMap((file) => (file.startsWith('v-') ? [file.slice(2)] : []));

  #path = (file: string): string => path.join(this.dirs.root, file);
  #target = (name: string): string => path.join(this.dirs.state, name);

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
