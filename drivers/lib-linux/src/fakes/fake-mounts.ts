import { LinuxError } from '../errors/linux-error.js';
import type {
  BindRequest,
  FilesystemStatus,
  MountEntry,
  MountFlag,
  MountRequest,
  Mounts,
  OverlayRequest,
  Propagation,
  UnmountOptions,
} from '../mounts/mounts.js';

/** A mount table in memory; mounting has no effect on files. */
export class FakeMounts implements Mounts {
  #entries: MountEntry[] = [];
  #nextId = 100;
  /** Targets whose unmount fails with `EBUSY`. */
  readonly busy = new Set<string>();
  /** The error of the next change. */
  failure: LinuxError | undefined;
  filesystem: FilesystemStatus = {
    type: 'ext4',
    magic: 0xef53,
    totalBytes: 100 * 2 ** 30,
    freeBytes: 50 * 2 ** 30,
    availableBytes: 45 * 2 ** 30,
    totalFiles: 1_000_000,
    freeFiles: 900_000,
  };

  async mount({ source, target, type, flags, data }: MountRequest): Promise<void> {
    this.#add({ source, target, type, superOptions: data === undefined ? [] : data.split(','), ...only(flags) });
  }

  async bind({ source, target, flags, propagation }: BindRequest): Promise<void> {
    this.#add({ source, target, type: 'bind', root: source, ...only(flags) });
    if (propagation !== undefined) await this.propagate(target, propagation);
  }

  async overlay({ lower, upper, work, target, flags, options = {} }: OverlayRequest): Promise<void> {
    this.#add({
      source: 'overlay',
      target,
      type: 'overlay',
      superOptions: [
        ...lower.map((path) => `lowerdir+=${path}`),
        ...(upper === undefined ? [] : [`upperdir=${upper}`]),
        ...(work === undefined ? [] : [`workdir=${work}`]),
        ...Object.entries(options).map(([name, value]) => (value === '' ? name : `${name}=${value}`)),
      ],
      ...only(flags),
    });
  }

  async remount(target: string, flags: readonly MountFlag[]): Promise<void> {
    this.#change(target, { options: flags.includes('ro') ? flags : ['rw', ...flags] });
  }

  async propagate(target: string, propagation: Propagation): Promise<void> {
    this.#change(target, { shared: propagation.endsWith('shared') ? 1 : undefined });
  }

  async move(from: string, to: string): Promise<void> {
    this.#change(from, { target: to });
  }

  async unmount(target: string, options: UnmountOptions = {}): Promise<boolean> {
    this.#failIfAsked();
    const index = this.#entries.findLastIndex((entry) => entry.target === target);
    if (index < 0) return false;
    if (this.busy.has(target) && options.detach === 'never') {
      throw new LinuxError('EBUSY', 'umount2', { path: target });
    }
    this.#entries.splice(index, 1);
    return true;
  }

  async unmountTree(directory: string, options: UnmountOptions = {}): Promise<number> {
    const inside = this.#entries.filter(({ target }) => target === directory || target.startsWith(`${directory}/`));
    for (const { target } of inside.reverse()) await this.unmount(target, options);
    return inside.length;
  }

  async list(): Promise<readonly MountEntry[]> {
    return [...this.#entries];
  }

  async isMountPoint(path: string): Promise<boolean> {
    return this.#entries.some(({ target }) => target === path);
  }

  async statfs(): Promise<FilesystemStatus> {
    return this.filesystem;
  }

  #add(entry: Pick<MountEntry, 'source' | 'target' | 'type'> & Partial<MountEntry>): void {
    this.#failIfAsked();
    this.#nextId += 1;
    this.#entries.push({
      id: this.#nextId,
      parent: 1,
      device: `0:${this.#nextId}`,
      root: '/',
      options: ['rw'],
      shared: undefined,
      master: undefined,
      superOptions: [],
      ...entry,
    });
  }

  #change(target: string, change: Partial<MountEntry>): void {
    this.#failIfAsked();
    const index = this.#entries.findLastIndex((entry) => entry.target === target);
    const entry = this.#entries[index];
    if (entry === undefined) throw new LinuxError('EINVAL', 'mount', { path: target });
    this.#entries[index] = { ...entry, ...change };
  }

  #failIfAsked(): void {
    const { failure } = this;
    this.failure = undefined;
    if (failure !== undefined) throw failure;
  }
}

function only(flags: readonly MountFlag[] | undefined): Partial<MountEntry> {
  return flags === undefined ? {} : { options: flags.includes('ro') ? flags : ['rw', ...flags] };
}
