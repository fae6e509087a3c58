import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Mutex } from '@gantry/core/driver';
import { conflict, invalidArgument, notFound } from '@gantry/core/errors';

/** One directory for each volume. */
export class __Name__Volumes {
  capabilities = { scope: 'local', usage: false };
  /** The containers that use a volume. */
  #users = new Map();
  #mutex = new Mutex();
  #root;
  #config;

  constructor(root, config) {
    this.#root = root;
    this.#config = config;
  }

  /** A volume that was being removed when the daemon was killed has a name that no volume can have. */
  async start() {
    for (const name of await readdir(this.#root)) {
      if (name.startsWith(removed)) await rm(this.#path(name), { recursive: true });
    }
  }

  async create(name, options) {
    if (!/^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(name)) throw invalidArgument(`"${name}" is not a volume name`);
    const [option] = Object.keys(options);
    if (option !== undefined) throw invalidArgument(`"${option}" is not an option of __id__ volumes: they have none`);
    await mkdir(this.#path(name), { recursive: true, mode: Number.parseInt(this.#config.mode, 8) });
  }

  remove(name) {
    return this.#mutex.run(async () => {
      await this.get(name);
      const users = [...(this.#users.get(name) ?? [])].join(', ');
      if (users !== '') throw conflict(`remove ${name}: volume is in use - [${users}]`);
      // Renamed first: a crash in between leaves either the whole volume or none.
      await rename(this.#path(name), this.#path(`${removed}${name}`));
      await rm(this.#path(`${removed}${name}`), { recursive: true });
    });
  }

  async get(name) {
    const volume = (await this.list()).find((candidate) => candidate.name === name);
    if (volume === undefined) throw notFound(`no such volume: ${name}`);
    return volume;
  }

  async list() {
    const names = await readdir(this.#root);
    return names.filter((name) => !name.startsWith(removed)).map((name) => ({ name, mountpoint: this.#path(name) }));
  }

  mount(name, user, { signal } = {}) {
    return this.#mutex.run(async () => {
      signal?.throwIfAborted();
      await this.get(name);
      this.#users.set(name, (this.#users.get(name) ?? new Set()).add(user));
      return this.#path(name);
    });
  }

  async unmount(name, user) {
    this.#users.get(name)?.delete(user);
  }

  #path(name) {
    return path.join(this.#root, name);
  }
}

const removed = '.removed-';
