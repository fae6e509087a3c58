import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type DriverVolume, type VolumeDriver, VolumeDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { conflict, invalidArgument, notFound } from '@gantry/core/errors';
import { Type } from '@sinclair/typebox';
import { onDisk } from './memory-disk.js';

/** Which volumes there are is in memory; what they hold has to be somewhere that a path can name. */
class MemoryVolumes implements VolumeDriver {
  readonly capabilities = { scope: 'local', usage: true } as const;
  readonly #users = new Map<string, Set<string>>();

  constructor(
    private readonly directory: string,
    private readonly volumes: Set<string>,
  ) {}

  async create(name: string, options: Readonly<Record<string, string>>): Promise<void> {
    if (!/^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(name)) {
      throw invalidArgument(`"${name}" includes invalid characters for a volume name`);
    }
    const [option] = Object.keys(options);
    if (option !== undefined) throw invalidArgument(`invalid option: "${option}"`);
    await mkdir(this.#path(name), { recursive: true });
    this.volumes.add(name);
  }

  async remove(name: string): Promise<void> {
    this.#mustExist(name);
    const users = this.#users.get(name) ?? new Set();
    if (users.size > 0) throw conflict(`remove ${name}: volume is in use - [${[...users].join(', ')}]`);
    this.volumes.delete(name);
    await rm(this.#path(name), { recursive: true, force: true });
  }

  async get(name: string): Promise<DriverVolume> {
    this.#mustExist(name);
    return { name, mountpoint: this.#path(name) };
  }

  async list(): Promise<readonly DriverVolume[]> {
    return [...this.volumes].map((name) => ({ name, mountpoint: this.#path(name) }));
  }

  async mount(name: string, user: string, options: { readonly signal?: AbortSignal } = {}): Promise<string> {
    options.signal?.throwIfAborted();
    this.#mustExist(name);
    this.#users.set(name, (this.#users.get(name) ?? new Set()).add(user));
    return this.#path(name);
  }

  async unmount(name: string, user: string): Promise<void> {
    this.#users.get(name)?.delete(user);
  }

  async usage(name: string, options: { readonly signal?: AbortSignal } = {}): Promise<number> {
    options.signal?.throwIfAborted();
    this.#mustExist(name);
    const files = await readdir(this.#path(name), { recursive: true });
    const sizes = await Promise.all(files.map(async (file) => (await stat(join(this.#path(name), file))).size));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  #path(name: string): string {
    return join(this.directory, 'volumes', name);
  }

  #mustExist(name: string): void {
    if (!this.volumes.has(name)) throw notFound(`get ${name}: no such volume`);
  }
}

export const volume = defineDriver({
  id: 'memory',
  provides: VolumeDrivers,
  configSchema: Type.Object({}, { additionalProperties: false }),
  create: ({ dirs }) =>
    new MemoryVolumes(
      dirs.root,
      onDisk(dirs.root, 'volume', () => new Set<string>()),
    ),
});
