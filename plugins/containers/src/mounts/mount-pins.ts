import { randomUUID } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { mkdir, readdir, rmdir, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { IdMappings } from '@gantry/core/contracts';
import { inject, injectable, Logger, PackageDirectories } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { makeSearchable } from '@gantry/lib-archive/layer-store';
import { isErrno } from '@gantry/lib-linux/errors';
import { Files } from '@gantry/lib-linux/files';
import { Mounts } from '@gantry/lib-linux/mounts';
import type { ReadyMount } from './ready-mount.js';

interface PinnedMounts {
  readonly mounts: readonly ReadyMount[];
  /** Unmounts them. Never rejects. A mount that a container made of one stays. */
  release(): Promise<void>;
}

/**
 * Mounts parts of sources at paths of their own, which no one else can change. A program that writes to a volume could
 * exchange a directory of a subpath for a link to any place of the host between the check of the path and its use: here the
 * path is opened once, inside of its source, and what was opened is mounted.
 */
@injectable()
export class MountPins {
  readonly #root: string;

  constructor(
    @inject(PackageDirectories) directories: Pick<PackageDirectories, 'state'>,
    @inject(Files.token) private readonly files: Pick<Files, 'openIn'>,
    @inject(Mounts.token) private readonly mounts: Pick<Mounts, 'bind' | 'unmount'>,
    @inject(IdMappings) private readonly idMappings: IdMappings,
    @inject(Logger) private readonly log: Logger,
  ) {
    this.#root = path.join(directories.state, 'pins');
  }

  /** Pins the mounts that need it. Rejects `invalid-argument` for a subpath that is absent or leads outside. */
  async pin(mounts: readonly ReadyMount[]): Promise<PinnedMounts> {
    const pins: string[] = [];
    const release = async () => {
      for (const pin of pins.splice(0)) await this.#remove(pin);
    };
    try {
      const pinned: ReadyMount[] = [];
      for (const mount of mounts) pinned.push(await this.#pinned(mount, pins));
      return { mounts: pinned, release };
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** What an earlier daemon left. */
  async orphans(): Promise<readonly { readonly name: string; remove(): Promise<void> }[]> {
    const names = await readdir(this.#root).catch(() => []);
    return names.map((name) => ({ name: `mount ${name}`, remove: () => this.#remove(path.join(this.#root, name)) }));
  }

  async #pinned(ready: ReadyMount, pins: string[]): Promise<ReadyMount> {
    const { mount, hostPath } = ready;
    const { nonRecursive = false, subpath = '.' } = mount;
    if (hostPath === undefined || (mount.subpath === undefined && !nonRecursive)) return ready;
    const descriptor = this.#open(hostPath, subpath);
    try {
      const isFile = !fstatSync(descriptor).isDirectory();
      const pin = path.join(this.#root, randomUUID());
      await mkdir(this.#root, { recursive: true, mode: 0o700 });
      // See `ContainerDirectories.make`.
      await makeSearchable(this.#root, this.idMappings);
      pins.push(pin);
      await (isFile ? writeFile(pin, '') : mkdir(pin, { mode: 0o700 }));
      await this.mounts.bind({ source: `/proc/self/fd/${descriptor}`, target: pin, recursive: !nonRecursive });
      return { ...ready, pin, isFile };
    } finally {
      closeSync(descriptor);
    }
  }

  #open(base: string, subpath: string): number {
    if (subpath === '.') return openSync(base, constants.O_RDONLY | O_PATH);
    try {
      return this.files.openIn(base, subpath, { flags: O_PATH, resolve: 'beneath' });
    } catch (cause) {
      if (isErrno(cause, 'EXDEV', 'ELOOP')) {
        const paths = `base: ${base}, subpath: ${subpath}`;
        throw invalidArgument(`path concatenation escapes the base directory, ${paths}`, { cause });
      }
      if (!isErrno(cause, 'ENOENT', 'ENOTDIR')) throw cause;
      throw invalidArgument(`cannot access path ${path.join(base, subpath)}: no such file or directory`, { cause });
    }
  }

  /** Not recursively: what is mounted there must never be deleted. */
  async #remove(pin: string): Promise<void> {
    try {
      await this.mounts.unmount(pin, { detach: 'always' });
      await rmdir(pin).catch(async (error: unknown) => {
        if (!isErrno(error, 'ENOTDIR')) throw error;
        await unlink(pin);
      });
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return;
      this.log.warn({ event: 'container.pin-kept', pin, err: error }, 'failed to unmount a part of a mount');
    }
  }
}

/** Of fcntl.h; Node does not name it. */
const O_PATH = 0o10000000;
